/* What the parts of the oracle share.

   SPDX-License-Identifier: GPL-3.0-or-later

   Part of a test tool that is loaded into bash (see oracle.c); never part of the wheel. */

#pragma once
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shell.h"
#include "command.h"
#include "make_cmd.h"
#include "bashjmp.h"
#include "common.h"
#include "unwind_prot.h"
#include "y.tab.h"

/* Everything else is hidden, so that no name of ours meets one of bash. */
#define EXPORT __attribute__((visibility("default")))

/* Descriptors far above those that scripts use. */
enum { LOG_FD = 250, ALIVE_FD = 251, REQUEST_FD = 252, ANSWER_FD = 253, SAID_FD = 254 };

/* A run that starts more processes than this, or records more, is ended. */
enum { MOST_FORKS = 400, MOST_EVENTS = 4000, MOST_SAID = 4096 };

#define SHIM "/shim/"
#define HOME_OF_RUNS "/w"
#define PROGRAM_OUTPUT "program-output\n"

/* --- the state of a run (record.c) */

typedef struct {
    int forks, events;
} counters;

extern int active;           /* a text is running: stand before the C library */
extern unsigned seed;        /* decides the exit status of programs */
extern int fork_number;      /* which fork of this run made this process */
extern char elsewhere[4096]; /* the folder bash believes to be in when it does not exist here */
extern char **first_env;     /* the environment before any text ran */
extern counters *shared;     /* over all processes of a run */

/* --- text, JSON and events (record.c) */

typedef struct {
    char *bytes;
    size_t length, room;
} buffer;

typedef struct {
    int bit;
    const char *name;
} bit_name;

void put_bytes(buffer *, const char *, size_t);
void put(buffer *, const char *);
void put_number(buffer *, long);
void put_string(buffer *, const char *);
void put_key(buffer *, const char *);
void put_bits(buffer *, int, const bit_name *);
void write_all(int, const char *, size_t);
void begin_event(buffer *, const char *kind);
void end_event(buffer *);
void record_text(const char *kind, const char *key, const char *text);
const char *folder(char *space, size_t);
unsigned hash(const char *);
void act_as_program(const char *path, char *const *argv, char *const *env) __attribute__((noreturn));

/* --- the syntax tree (tree.c) */

/* The tree is written as a flat list, children before parents, which name them by number: a list of 100,000
   commands is a tree of that depth, and readers of JSON do not like depth. */
typedef struct {
    buffer nodes;
    int count;
} forest;

int add_command(forest *, const COMMAND *);

/* --- reading, forcing, replacing (oracle.c, force.c) */

typedef void handle_command(COMMAND *, void *);

const char *read_commands(char *text, handle_command *, void *);
int forced_parse_and_execute(char *text, const char *from, int flags);
int each(WORD_LIST *);
void replace(void *function, void *replacement);

/* --- of bash, but not in the headers that it installs */

extern int last_command_exit_value;
extern int execute_command(COMMAND *);
extern WORD_LIST *expand_word(WORD_DESC *, int), *expand_words_no_vars(WORD_LIST *);
extern char *sh_single_quote(const char *);
