/* The bash oracle: what bash itself makes of a text.

   SPDX-License-Identifier: GPL-3.0-or-later

   This file is loaded into GNU bash and uses its headers, hence its licence. It is a test tool of this
   repository; no part of it is in the wheel or needed to run what the wheel holds.

   One shared object with two roles inside an unmodified bash (Debian's exports all its functions):

   1. Preloaded, it stands before the C library. While a text runs (`active`), execve records and exits instead
      of executing, every name is found in PATH=/shim, and files, folders, signals and connections are recorded.
   2. Loaded with `enable -f`, it adds three builtins:
         oracle_serve          answers requests until its input ends
         oracle_each POINTER   the loop of a `for` whose branches are forced
         oracle_missing WORD.. what command_not_found_handle calls: a program that no PATH entry holds

   A request is   mode:1  seed:u32  milliseconds:u32  length:u32  text   (little endian); an answer is
   length:u32  JSON. The first answer comes unasked and says which bash this is. Modes:

         p   parse in this process: fast, but a text that kills bash kills the server
         P   parse in a child
         R   run in a child like `bash -c`; JSON lines, one for each event
         F   run in a child with all branches forced
         W   the substitutions bash performs in a word; H: in a here-document; A: in an arithmetic expression

   It refuses to serve outside a PID namespace of its own, because it ends a run with kill(-1, SIGKILL). */

#include "oracle.h"

#include <dirent.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "builtins.h"
#include "dispose_cmd.h"

/* Of bash, but not in the headers that it installs. */
typedef struct {
    int type;
    char *name;
    union {
        void *file;
        char *string;
        int fd;
    } location;
    void *getter, *ungetter;
} input_source;
extern input_source bash_input;
extern int current_token, EOF_Reached, need_here_doc, parse_and_execute_level, extended_glob;
extern int builtin_ignoring_errexit;
extern char *trap_list[], **export_env;
extern int parse_command(void);
extern void push_stream(int), pop_stream(void), reset_parser(void);
extern void with_input_from_string(char *, const char *);
extern int run_exit_trap(void), signal_is_trapped(int), signal_is_ignored(int);
extern void remember_args(WORD_LIST *, int);

/* ---- reading a text, command by command */

/* The loop of bash's parse_and_execute: a line is parsed and handled before the next one is read. Says why it
   stopped early, or nothing. A command that jumps out while it is handled does not end the reading. */
const char *read_commands(char *text, handle_command *handle, void *argument) {
    procenv_t outer;
    const char *volatile stopped = 0;
    volatile int parsing = 1;
    COPY_PROCENV(top_level, outer);
    parse_and_execute_level++;
    push_stream(1);
    with_input_from_string(text, "oracle");
    while (stopped == 0 && *bash_input.location.string) {
        if (setjmp_nosigs(top_level)) {
            if (parsing)
                stopped = "abandoned";
            continue;
        }
        parsing = 1;
        global_command = 0;
        if (parse_command() != 0)
            stopped = "syntax";
        else if (global_command) {
            COMMAND *command = global_command;
            global_command = 0;
            parsing = 0;
            handle(command, argument);
        }
        if (current_token == yacc_EOF)
            break;
    }
    if (stopped)
        reset_parser();
    pop_stream();
    parse_and_execute_level--;
    COPY_PROCENV(outer, top_level);
    return stopped;
}

typedef struct {
    forest trees;
    buffer roots;
    const char *text;
} parsed;

static void keep_tree(COMMAND *command, void *argument) {
    parsed *into = argument;
    int root = add_command(&into->trees, command);
    put(&into->roots, into->roots.length ? ",[" : "[");
    put_number(&into->roots, root);
    put(&into->roots, ",");
    put_number(&into->roots, bash_input.location.string - into->text);
    put(&into->roots, "]");
    dispose_command(command);
}

static void empty(int fd) {
    if (ftruncate(fd, 0))
        abort();
}

/* What bash wrote to its standard error since the last time, which is a file in memory. */
static void put_said(buffer *b) {
    char text[MOST_SAID + 1];
    fflush(stderr);
    ssize_t length = pread(SAID_FD, text, MOST_SAID, 0);
    text[length > 0 ? length : 0] = 0;
    if (length > 0)
        empty(SAID_FD);
    put_key(b, "said");
    put_string(b, text);
}

/* An error inside a substitution leaves the parser expecting its end, hence the saved state. */
static void parse(char *text, buffer *answer) {
    parsed into = {.text = text};
    int globs = extended_glob;
    sh_parser_state_t before;
    save_parser_state(&before);
    const char *stopped = read_commands(text, keep_tree, &into);
    restore_parser_state(&before);
    extended_glob = globs;
    need_here_doc = EOF_Reached = 0;
    put(answer, "{\"nodes\":[");
    put_bytes(answer, into.trees.nodes.bytes ? into.trees.nodes.bytes : "", into.trees.nodes.length);
    put(answer, "],\"roots\":[");
    put_bytes(answer, into.roots.bytes ? into.roots.bytes : "", into.roots.length);
    put(answer, "]");
    put_key(answer, "stopped");
    put_string(answer, stopped);
    put_said(answer);
    put(answer, "}");
    free(into.trees.nodes.bytes);
    free(into.roots.bytes);
}

/* ---- the substitutions in a word */

static void record_substitution(const char *kind, const char *text) {
    buffer b = {0};
    begin_event(&b, "substitution");
    put_key(&b, "kind");
    put_string(&b, kind);
    put_key(&b, "text");
    put_string(&b, text);
    put_key(&b, "order"); /* children report late: they count as of their fork */
    put_number(&b, fork_number ? 2 * fork_number : 2 * shared->forks + 1);
    end_event(&b);
}

/* In bash's place: FROM is "command substitution" or "process substitution". */
static int record_parse_and_execute(char *text, const char *from, int flags) {
    (void)flags;
    record_substitution(from, text);
    return 0;
}

static intmax_t record_evalexp(char *expression, int flags, int *valid) {
    (void)flags;
    record_substitution("arithmetic", expression);
    if (valid)
        *valid = 1;
    return 1;
}

/* Gives a value to whatever could be a variable in the text, and to three positional parameters. */
static void set_variables(const char *text) {
    WORD_LIST *three = 0;
    for (int i = 0; i < 3; i++)
        three = make_word_list(make_word("1"), three);
    remember_args(three, 1);
    while (*text) {
        size_t length = 0;
        while (legal_variable_char(text[length]) && (length || legal_variable_starter(text[length])))
            length++;
        char *name = strndup(text, length);
        if (length && find_variable(name) == 0)
            bind_variable(name, "1", 0);
        free(name);
        text += length ? length : 1;
    }
}

/* Seed 0: variables are unset, so that ${x:-$(a)} expands; others: they are set, so that ${x:+$(a)} does. */
static void expand(char mode, char *text) {
    if (seed)
        set_variables(text);
    replace(parse_and_execute, record_parse_and_execute);
    replace(evalexp, record_evalexp);
    active = 1;
    if (setjmp_nosigs(top_level) == 0)
        expand_word(make_word(text), mode == 'W' ? 0 : mode == 'H' ? 2 /* Q_HERE_DOCUMENT */ : 1 /* Q_DOUBLE_QUOTES */);
    _exit(0);
}

/* ---- children */

static sigset_t child_signal; /* blocked in the server: bash's handler would take the status of our children */

static void limit(int what, rlim_t most) {
    struct rlimit both = {most, most};
    setrlimit(what, &both);
}

static void run_signal_traps(void) {
    for (int sig = 1; sig < NSIG; sig++)
        if (signal_is_trapped(sig) && !signal_is_ignored(sig))
            parse_and_execute(strdup(trap_list[sig]), "trap", SEVAL_NOHIST);
}

static void run(char mode, char *text) {
    char leavers[] = "enable -n exit logout return break continue exec";
    if (chdir(HOME_OF_RUNS))
        _exit(125);
    if (mode == 'F') {
        parse_and_execute(strdup(leavers), "oracle", SEVAL_NOHIST);
        replace(parse_and_execute, forced_parse_and_execute);
        builtin_ignoring_errexit = 1;
    }
    active = 1;
    if (setjmp_nosigs(top_level) == 0) {
        parse_and_execute(strdup(text), "-c", SEVAL_NOHIST | SEVAL_RESETLINE);
        if (mode == 'F')
            run_signal_traps();
    }
    if (setjmp_nosigs(top_level) == 0)
        run_exit_trap();
    fflush(stdout);
    _exit(last_command_exit_value);
}

/* Never returns. Standard error is a file in memory that the server reads afterwards. */
static void serve_in_child(char mode, char *text) {
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(nothing, 1);
    close(nothing);
    close(REQUEST_FD);
    close(ANSWER_FD);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &child_signal, 0);
    setsid();
    limit(RLIMIT_AS, 1ul << 30);
    if (mode == 'P') {
        buffer answer = {0};
        parse(text, &answer);
        write_all(LOG_FD, answer.bytes, answer.length);
        _exit(0);
    }
    limit(RLIMIT_FSIZE, 16 << 20);
    if (mode == 'R' || mode == 'F')
        run(mode, text);
    expand(mode, text);
}

/* ---- the server */

static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The end of the pipe that all processes of a run hold open says that the last one is gone. */
static int wait_for_end(int alive, long most) {
    long end = milliseconds() + most, left;
    while ((left = end - milliseconds()) > 0) {
        struct pollfd one = {alive, POLLIN, 0};
        if (poll(&one, 1, left) > 0)
            return 1;
    }
    return 0;
}

/* Runs leave no files behind: unknown ones go, known ones are emptied. */
static void tidy(const char *where) {
    static const char *const known[] = {"a.txt", "b.txt", "evilglob", "-rf", 0};
    DIR *folder = opendir(where);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *const *name = known;
        while (*name && (strcmp(*name, entry->d_name) || !strcmp(where, "/tmp")))
            name++;
        if (*name && truncate(entry->d_name, 0) == 0)
            continue;
        unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder)
        closedir(folder);
}

static void put_end(buffer *answer, int in_time, int status) {
    int flood = shared->forks > MOST_FORKS || shared->events > MOST_EVENTS;
    put(answer, "{\"event\":\"end\"");
    put_key(answer, "how");
    put_string(answer, flood ? "flood" : !in_time ? "time" : WIFSIGNALED(status) ? "signal" : "exit");
    put_key(answer, "status");
    put_number(answer, WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    put_said(answer);
    put(answer, "}\n");
}

static void collect_log(buffer *answer) {
    char bytes[65536];
    ssize_t length;
    for (off_t at = 0; (length = pread(LOG_FD, bytes, sizeof bytes, at)) > 0; at += length)
        put_bytes(answer, bytes, length);
}

static void serve_with_child(char mode, char *text, long most, buffer *answer) {
    int alive[2], status = 0;
    shared->forks = shared->events = 0;
    if (pipe(alive))
        abort();
    pid_t child = fork();
    if (child == 0) {
        dup2(alive[1], ALIVE_FD);
        close(alive[0]);
        close(alive[1]);
        serve_in_child(mode, text);
    }
    close(alive[1]);
    int in_time = wait_for_end(alive[0], most);
    close(alive[0]);
    if (!in_time)
        kill(-1, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    int ended_well = in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (mode != 'P' || ended_well)
        collect_log(answer);
    empty(LOG_FD);
    if (mode != 'P' || answer->length == 0)
        put_end(answer, in_time, status);
    if (mode == 'R' || mode == 'F') {
        tidy(HOME_OF_RUNS);
        tidy("/tmp");
    }
}

static int read_exactly(void *into, size_t length) {
    for (char *at = into; length;) {
        ssize_t got = read(REQUEST_FD, at, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        at += got;
        length -= got;
    }
    return 1;
}

static void send_answer(buffer *answer) {
    unsigned length = answer->length;
    buffer framed = {0};
    put_bytes(&framed, (char *)&length, sizeof length);
    put_bytes(&framed, answer->bytes, length);
    write_all(ANSWER_FD, framed.bytes, framed.length);
    free(framed.bytes);
    free(answer->bytes);
}

static void keep_file(int fd, const char *name) {
    int made = memfd_create(name, 0);
    fcntl(made, F_SETFL, O_APPEND);
    dup2(made, fd);
    close(made);
}

static void prepare(void) {
    int count = 0;
    dup2(0, REQUEST_FD);
    dup2(1, ANSWER_FD);
    keep_file(LOG_FD, "log");
    keep_file(SAID_FD, "said");
    shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    maybe_make_export_env();
    while (export_env[count])
        count++;
    first_env = calloc(count + 1, sizeof *first_env);
    while (count--)
        first_env[count] = strdup(export_env[count]);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_signal, 0);
    dup2(SAID_FD, 2);
}

static int serve(WORD_LIST *unused) {
    (void)unused;
    if (getpid() != 2) {
        builtin_error("must be the first process of a PID namespace");
        return EXECUTION_FAILURE;
    }
    prepare();
    buffer hello = {0};
    put(&hello, "{\"bash\":");
    put_string(&hello, shell_version_string());
    put(&hello, "}");
    send_answer(&hello);
    for (;;) {
        char mode;
        unsigned numbers[3];
        buffer answer = {0};
        if (!read_exactly(&mode, 1) || !read_exactly(numbers, sizeof numbers))
            return EXECUTION_SUCCESS;
        char *text = xmalloc(numbers[2] + 1);
        if (!read_exactly(text, numbers[2]))
            return EXECUTION_SUCCESS;
        text[numbers[2]] = 0;
        seed = numbers[0];
        if (mode == 'p')
            parse(text, &answer);
        else
            serve_with_child(mode, text, numbers[1], &answer);
        send_answer(&answer);
        free(text);
    }
}

/* ---- the builtins */

/* An empty name is never a program. */
static int missing(WORD_LIST *arguments) {
    int count = 0;
    if (arguments == 0 || *arguments->word->word == 0)
        return EX_NOTFOUND;
    for (WORD_LIST *w = arguments; w; w = w->next)
        count++;
    char **argv = calloc(count + 1, sizeof *argv);
    for (char **at = argv; arguments; arguments = arguments->next)
        *at++ = arguments->word->word;
    maybe_make_export_env();
    act_as_program("", argv, export_env);
    return EXECUTION_FAILURE;
}

static char *no_help[] = {0};
EXPORT struct builtin oracle_serve_struct = {"oracle_serve", serve, BUILTIN_ENABLED, no_help, "oracle_serve", 0};
EXPORT struct builtin oracle_each_struct = {"oracle_each", each, BUILTIN_ENABLED, no_help, "oracle_each", 0};
EXPORT struct builtin oracle_missing_struct = {"oracle_missing", missing,          BUILTIN_ENABLED,
                                               no_help,          "oracle_missing", 0};
