/* Text, JSON, and the events of a run.

   SPDX-License-Identifier: GPL-3.0-or-later

   Part of a test tool that is loaded into bash (see oracle.c); never part of the wheel. */

#include "oracle.h"

int active;
unsigned seed;
int fork_number;
char elsewhere[4096];
char **first_env;
counters *shared;

/* ---- text and JSON */

void put_bytes(buffer *b, const char *bytes, size_t length) {
    if (b->length + length + 1 > b->room) {
        b->room = (b->length + length + 1) * 2 + 1024;
        b->bytes = realloc(b->bytes, b->room);
    }
    memcpy(b->bytes + b->length, bytes, length);
    b->length += length;
    b->bytes[b->length] = 0;
}

void put(buffer *b, const char *text) { put_bytes(b, text, strlen(text)); }

void put_number(buffer *b, long number) {
    char text[32];
    snprintf(text, sizeof text, "%ld", number);
    put(b, text);
}

/* Bytes from 0x80 pass as they are: the reader decides what they mean. */
void put_string(buffer *b, const char *s) {
    static const char hex[] = "0123456789abcdef";
    if (s == 0) {
        put(b, "null");
        return;
    }
    put_bytes(b, "\"", 1);
    for (const char *plain = s;; s++) {
        unsigned char c = *s;
        if (c >= 32 && c != '"' && c != '\\' && c != 127)
            continue;
        put_bytes(b, plain, s - plain);
        plain = s + 1;
        if (c == 0)
            break;
        char escape[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        put_bytes(b, escape, sizeof escape);
    }
    put_bytes(b, "\"", 1);
}

void put_key(buffer *b, const char *key) {
    put(b, ",\"");
    put(b, key);
    put(b, "\":");
}

void put_bits(buffer *b, int bits, const bit_name *names) {
    const char *comma = "";
    put(b, "[");
    for (; names->name; names++)
        if (bits & names->bit) {
            put(b, comma);
            put_string(b, names->name);
            comma = ",";
        }
    put(b, "]");
}

void write_all(int fd, const char *bytes, size_t length) {
    while (length) {
        ssize_t wrote = syscall(SYS_write, fd, bytes, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return;
        bytes += wrote;
        length -= wrote;
    }
}

/* ---- events */

void begin_event(buffer *b, const char *kind) {
    put(b, "{\"event\":");
    put_string(b, kind);
    put_key(b, "fork");
    put_number(b, fork_number);
}

/* The log is appended to in one write, so that events of several processes never mix. */
void end_event(buffer *b) {
    put(b, "}\n");
    write_all(LOG_FD, b->bytes, b->length);
    free(b->bytes);
    if (shared && __sync_add_and_fetch(&shared->events, 1) > MOST_EVENTS)
        _exit(125);
}

void record_text(const char *kind, const char *key, const char *text) {
    buffer b = {0};
    begin_event(&b, kind);
    put_key(&b, key);
    put_string(&b, text);
    end_event(&b);
}

/* The identity of the pipe behind a descriptor: equal numbers are the two ends of one pipe. */
static void put_pipe(buffer *b, const char *key, int fd) {
    struct stat st;
    put_key(b, key);
    if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
        put_number(b, (long)st.st_ino);
    else
        put(b, "null");
}

const char *folder(char *space, size_t size) {
    return elsewhere[0] ? elsewhere : syscall(SYS_getcwd, space, size) > 0 ? space : "?";
}

/* What differs from the first environment, without what bash itself keeps. */
static int is_news(const char *entry, const char *here) {
    if (!strchr(entry, '=') || !strncmp(entry, "_=", 2) || !strncmp(entry, "OLDPWD=", 7) ||
        !strncmp(entry, "SHLVL=", 6) || (!strncmp(entry, "PWD=", 4) && !strcmp(entry + 4, here)))
        return 0;
    for (char **known = first_env; known && *known; known++)
        if (!strcmp(*known, entry))
            return 0;
    return 1;
}

static void put_env(buffer *b, char *const *env, const char *here) {
    const char *comma = "";
    put_key(b, "env");
    put(b, "{");
    for (; env && *env; env++)
        if (is_news(*env, here)) {
            char *value = strchr(*env, '='), *name = strndup(*env, value - *env);
            put(b, comma);
            put_string(b, name);
            put(b, ":");
            put_string(b, value + 1);
            free(name);
            comma = ",";
        }
    put(b, "}");
}

static void record_program(const char *path, char *const *argv, char *const *env) {
    char space[4096];
    const char *here = folder(space, sizeof space);
    buffer b = {0};
    begin_event(&b, "exec");
    put_key(&b, "path");
    put_string(&b, path);
    put_key(&b, "argv");
    for (int i = 0; argv[i]; i++) {
        put(&b, i ? "," : "[");
        put_string(&b, argv[i]);
    }
    put(&b, argv[0] ? "]" : "[]");
    put_env(&b, env, here);
    put_key(&b, "cwd");
    put_string(&b, here);
    put_pipe(&b, "stdin", 0);
    put_pipe(&b, "stdout", 1);
    put_pipe(&b, "stderr", 2);
    end_event(&b);
}

unsigned hash(const char *s) {
    unsigned h = 2166136261u ^ seed;
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    h = (h ^ (h >> 15)) * 2246822519u;
    return h ^ (h >> 13);
}

/* Seed 0: all programs succeed; 1: all fail; others: it depends on the name. */
void act_as_program(const char *path, char *const *argv, char *const *env) {
    struct stat st;
    record_program(path, argv, env);
    signal(SIGPIPE, SIG_IGN);
    if (fstat(1, &st) == 0 && S_ISFIFO(st.st_mode))
        write_all(1, PROGRAM_OUTPUT, strlen(PROGRAM_OUTPUT));
    _exit(seed < 2 ? (int)seed : (int)(hash(argv[0] ? argv[0] : "") & 1));
}
