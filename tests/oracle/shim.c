/* Standing before the C library: while a text runs, nothing is executed and everything is recorded.

   SPDX-License-Identifier: GPL-3.0-or-later

   Part of a test tool that is loaded into bash (see oracle.c); never part of the wheel. */

#include "oracle.h"

#include <dlfcn.h>
#include <netdb.h>
#include <stdarg.h>
#include <sys/socket.h>

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == 0)
        abort();
    return found;
}
#define ORIGINAL(name) ((__typeof__(&name))original(#name))

EXPORT int execve(const char *path, char *const argv[], char *const envp[]) {
    if (active)
        act_as_program(path, argv, envp);
    return syscall(SYS_execve, path, argv, envp);
}

EXPORT pid_t fork(void) {
    static pid_t (*real)(void);
    if (real == 0)
        real = ORIGINAL(fork);
    if (!active)
        return real();
    int number = __sync_add_and_fetch(&shared->forks, 1);
    if (number > MOST_FORKS)
        _exit(125);
    pid_t pid = real();
    if (pid == 0)
        fork_number = number;
    return pid;
}

/* Every name is a program: /shim holds whatever is asked for. */
static int is_shim(const char *path) {
    size_t length = strlen(SHIM);
    return active && path && !strncmp(path, SHIM, length) && path[length] && !strchr(path + length, '/');
}

static int look(const char *path, struct stat *st, int flags) {
    if (!is_shim(path))
        return fstatat(AT_FDCWD, path, st, flags);
    memset(st, 0, sizeof *st);
    st->st_mode = S_IFREG | 0755;
    st->st_nlink = 1;
    st->st_size = 1;
    st->st_ino = hash(path);
    return 0;
}

EXPORT int stat(const char *path, struct stat *st) { return look(path, st, 0); }
EXPORT int lstat(const char *path, struct stat *st) { return look(path, st, AT_SYMLINK_NOFOLLOW); }
EXPORT int access(const char *path, int mode) {
    return is_shim(path) ? 0 : syscall(SYS_faccessat, AT_FDCWD, path, mode);
}
EXPORT int eaccess(const char *path, int mode) { return access(path, mode); }
EXPORT int faccessat(int at, const char *path, int mode, int flags) {
    (void)flags;
    return is_shim(path) ? 0 : syscall(SYS_faccessat, at, path, mode);
}

static int is_here_document(const char *path) { return !strncmp(path, "/tmp/sh-thd", 11); }

static void record_open(const char *path, int flags) {
    static const bit_name names[] = {
        {O_CREAT, "create"}, {O_TRUNC, "truncate"}, {O_APPEND, "append"}, {O_EXCL, "exclusive"}, {0, 0}};
    char space[4096];
    int way = flags & O_ACCMODE;
    if ((way == O_RDONLY && !strcmp(path, "/dev/null")) || is_here_document(path))
        return; /* bash's own: the input of background commands, large here-documents */
    buffer b = {0};
    begin_event(&b, "open");
    put_key(&b, "path");
    put_string(&b, path);
    put_key(&b, "access");
    put_string(&b, way == O_RDONLY ? "read" : way == O_WRONLY ? "write" : "read-write");
    put_key(&b, "flags");
    put_bits(&b, flags, names);
    put_key(&b, "cwd");
    put_string(&b, folder(space, sizeof space));
    end_event(&b);
}

/* A file that cannot be had here might well exist elsewhere: the run goes on with an empty one. */
static int open_recorded(int at, const char *path, int flags, int mode) {
    if (active)
        record_open(path, flags);
    int fd = syscall(SYS_openat, at, path, flags, mode);
    if (fd < 0 && active && errno != EEXIST && errno != EMFILE)
        fd = syscall(SYS_openat, at, "/dev/null", flags & O_ACCMODE, 0);
    return fd;
}

EXPORT int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return open_recorded(AT_FDCWD, path, flags, mode);
}

EXPORT int openat(int at, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return open_recorded(at, path, flags, mode);
}

EXPORT int __open_2(const char *path, int flags) { return open_recorded(AT_FDCWD, path, flags, 0); }

/* No script closes or covers what it is watched through. */
static int is_ours(int fd) { return active && fd >= LOG_FD && fd <= SAID_FD; }

EXPORT int close(int fd) { return is_ours(fd) ? 0 : syscall(SYS_close, fd); }
EXPORT int dup2(int from, int to) { return is_ours(to) ? to : ORIGINAL(dup2)(from, to); }

/* `elsewhere` joined with PATH, without dots. */
static void go_elsewhere(const char *path) {
    char space[4096], joined[8192], *out = elsewhere;
    snprintf(joined, sizeof joined, "%s/%s", *path == '/' ? "" : folder(space, sizeof space), path);
    elsewhere[0] = 0;
    for (char *save, *part = strtok_r(joined, "/", &save); part; part = strtok_r(0, "/", &save))
        if (!strcmp(part, "..")) {
            while (out > elsewhere && *--out != '/')
                ;
            *out = 0;
        } else if (strcmp(part, ".") && (size_t)(out - elsewhere) + strlen(part) + 2 < sizeof elsewhere)
            out += sprintf(out, "/%s", part);
    if (elsewhere[0] == 0)
        strcpy(elsewhere, "/");
}

/* A folder that does not exist here might exist elsewhere, so bash may go there, except with seed 1. */
EXPORT int chdir(const char *path) {
    if (!active)
        return syscall(SYS_chdir, path);
    int result = elsewhere[0] && *path != '/' ? -1 : syscall(SYS_chdir, path);
    if (result == 0)
        elsewhere[0] = 0;
    else if (seed != 1 && *path) {
        go_elsewhere(path);
        result = 0;
    }
    buffer b = {0};
    begin_event(&b, "chdir");
    put_key(&b, "path");
    put_string(&b, path);
    put_key(&b, "ok");
    put(&b, result == 0 ? "true" : "false");
    end_event(&b);
    return result;
}

EXPORT char *getcwd(char *space, size_t size) {
    if (active && elsewhere[0] && space == 0)
        return strdup(elsewhere);
    if (active && elsewhere[0] && strlen(elsewhere) < size)
        return strcpy(space, elsewhere);
    return ORIGINAL(getcwd)(space, size);
}

EXPORT int unlink(const char *path) {
    if (active && !is_here_document(path))
        record_text("unlink", "path", path);
    return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

EXPORT int kill(pid_t pid, int sig) {
    if (!active)
        return syscall(SYS_kill, pid, sig);
    buffer b = {0};
    begin_event(&b, "kill");
    put_key(&b, "pid");
    put_number(&b, pid);
    put_key(&b, "signal");
    put_number(&b, sig);
    end_event(&b);
    return 0;
}

EXPORT int killpg(pid_t group, int sig) { return kill(-group, sig); }

/* Every host answers, so that the run goes on. */
EXPORT int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    if (active) {
        buffer b = {0};
        begin_event(&b, "connect");
        put_key(&b, "host");
        put_string(&b, host);
        put_key(&b, "port");
        put_string(&b, service);
        end_event(&b);
        host = "127.0.0.1";
        service = "9";
    }
    return ORIGINAL(getaddrinfo)(host, service, hints, found);
}

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t size) {
    return active ? 0 : ORIGINAL(connect)(fd, address, size);
}

/* `enable -f FILE`: code of the file would run in bash. */
EXPORT void *dlopen(const char *path, int flags) {
    if (!active)
        return ORIGINAL(dlopen)(path, flags);
    record_text("load", "path", path ? path : "");
    return 0;
}
