/* Forcing all branches of a text.

   SPDX-License-Identifier: GPL-3.0-or-later

   Part of a test tool that is loaded into bash (see oracle.c); never part of the wheel. */

#include "oracle.h"

#include <sys/mman.h>

#define FRAME "oracle"

static void force(COMMAND *);

static COMMAND *in_sequence(COMMAND *first, COMMAND *second) {
    return first == 0 ? second : second == 0 ? first : command_connect(first, second, ';');
}

/* Keeps the redirects and flags of the command. */
static void become_group(COMMAND *c, COMMAND *body) {
    c->value.Group = make_group_command(body)->value.Group;
    c->type = cm_group;
}

static COMMAND *bare_copy(const COMMAND *c) {
    COMMAND *copy = xmalloc(sizeof *copy);
    *copy = *c;
    copy->redirects = 0;
    copy->flags = 0;
    return copy;
}

/* The word and all patterns are expanded, then all bodies run. */
static void force_case(COMMAND *c) {
    COMMAND *all = bare_copy(c);
    for (PATTERN_LIST *p = c->value.Case->clauses; p; p = p->next) {
        force(p->action);
        all = in_sequence(all, p->action);
        p->action = 0;
        p->flags = CASEPAT_TESTNEXT;
    }
    become_group(c, all);
}

/* The words are expanded when the loop runs: oracle_each then sees whether there are any. */
static void force_for(COMMAND *c) {
    char pointer[32];
    force(c->value.For->action);
    COMMAND *loop = bare_copy(c);
    SIMPLE_COM *call = xmalloc(sizeof *call);
    loop->type = cm_for;
    snprintf(pointer, sizeof pointer, "%p", (void *)loop);
    *call = (SIMPLE_COM){.line = c->line, .redirects = c->redirects};
    call->words = make_word_list(make_word("oracle_each"), make_word_list(make_word(pointer), 0));
    c->redirects = 0;
    c->type = cm_simple;
    c->value.Simple = call;
}

static void force_arith_for(COMMAND *c) {
    ARITH_FOR_COM *loop = c->value.ArithFor;
    force(loop->action);
    COMMAND *after = in_sequence(loop->action, make_arith_command(loop->step));
    become_group(c, in_sequence(make_arith_command(loop->init), in_sequence(make_arith_command(loop->test), after)));
}

static COMMAND *split_condition(const COMMAND *c, COND_COM *condition) {
    if (condition->type == COND_EXPR)
        return split_condition(c, condition->left);
    if (condition->type == COND_AND || condition->type == COND_OR)
        return in_sequence(split_condition(c, condition->left), split_condition(c, condition->right));
    COMMAND *copy = bare_copy(c);
    copy->value.Cond = condition;
    return copy;
}

static void force_connection(CONNECTION *c) {
    force(c->first);
    force(c->second);
    if (c->connector == AND_AND || c->connector == OR_OR)
        c->connector = ';';
}

/* Rewrites a command so that each of its parts runs once, whatever the tests say. */
static void force(COMMAND *c) {
    if (c == 0)
        return;
    switch (c->type) {
    case cm_for:
    case cm_select: force_for(c); break;
    case cm_arith_for: force_arith_for(c); break;
    case cm_case: force_case(c); break;
    case cm_connection: force_connection(c->value.Connection); break;
    case cm_function_def: force(c->value.Function_def->command); break;
    case cm_group: force(c->value.Group->command); break;
    case cm_subshell: force(c->value.Subshell->command); break;
    case cm_coproc: force(c->value.Coproc->command); break;
    case cm_while:
    case cm_until:
        force(c->value.While->test);
        force(c->value.While->action);
        become_group(c, in_sequence(c->value.While->test, c->value.While->action));
        break;
    case cm_if:
        force(c->value.If->test);
        force(c->value.If->true_case);
        force(c->value.If->false_case);
        become_group(c, in_sequence(c->value.If->test, in_sequence(c->value.If->true_case, c->value.If->false_case)));
        break;
    case cm_cond: become_group(c, split_condition(c, c->value.Cond)); break;
    case cm_simple:
    case cm_arith: break;
    }
}

/* `a; b; c` is a tree that leans to the left; a part that bash would have waited for is one alone. */
static int is_sequence(const COMMAND *c) {
    return c->type == cm_connection && c->value.Connection->connector != '|' && c->value.Connection->connector != '&' &&
           c->flags == 0 && c->redirects == 0;
}

/* An error that makes bash give up a line, such as an unset variable after `set -u`, gives up one part only. */
static void force_and_execute(COMMAND *c, void *unused) {
    (void)unused;
    force(c);
    int count = 1;
    for (COMMAND *left = c; is_sequence(left); left = left->value.Connection->first)
        count++;
    COMMAND **parts = xmalloc(count * sizeof *parts);
    for (int i = count - 1; i > 0; i--, c = c->value.Connection->first)
        parts[i] = c->value.Connection->second;
    parts[0] = c;
    for (volatile int i = 0; i < count; i++) {
        if (setjmp_nosigs(top_level)) {
            run_unwind_frame(FRAME);
            continue;
        }
        begin_unwind_frame(FRAME);
        execute_command(parts[i]);
        discard_unwind_frame(FRAME);
    }
}

/* In bash's place: substitutions, `eval`, traps and sourced files are forced too. */
int forced_parse_and_execute(char *text, const char *from, int flags) {
    (void)from, (void)flags;
    if (read_commands(strdup(text), force_and_execute, 0))
        last_command_exit_value = EX_BADUSAGE;
    return last_command_exit_value;
}

/* The `for` loop at the address: its words expanded once; without any, one empty word. */
int each(WORD_LIST *arguments) {
    COMMAND *loop;
    if (arguments == 0 || sscanf(arguments->word->word, "%p", (void **)&loop) != 1)
        return EXECUTION_FAILURE;
    COMMAND *once = copy_command(loop);
    WORD_LIST *words = expand_words_no_vars(once->value.For->map_list);
    for (WORD_LIST *w = words; w; w = w->next)
        w->word = make_word(sh_single_quote(w->word->word));
    once->value.For->map_list = words ? words : make_word_list(make_word("''"), 0);
    return execute_command(once);
}

/* ---- replacing functions of bash */

/* Writes a jump to REPLACEMENT over the beginning of FUNCTION; in children only, and nobody calls the old one. */
void replace(void *function, void *replacement) {
#if defined(__x86_64__)
    unsigned char jump[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0}; /* mov rax, ...; jmp rax */
    memcpy(jump + 2, &replacement, 8);
#elif defined(__aarch64__)
    unsigned char jump[16] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6}; /* ldr x16, 8 further; br x16 */
    memcpy(jump + 8, &replacement, 8);
#else
#error "the oracle knows how to jump on x86-64 and aarch64 only"
#endif
    long page = sysconf(_SC_PAGESIZE);
    char *first = (char *)((unsigned long)function & -page);
    if (mprotect(first, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        record_text("broken", "why", strerror(errno));
        _exit(125);
    }
    memcpy(function, jump, sizeof jump);
    __builtin___clear_cache((char *)function, (char *)function + sizeof jump);
}
