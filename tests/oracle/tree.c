/* The syntax tree of bash as JSON.

   SPDX-License-Identifier: GPL-3.0-or-later

   Part of a test tool that is loaded into bash (see oracle.c); never part of the wheel. */

#include "oracle.h"

static const bit_name WORD_BITS[] = {{W_HASDOLLAR, "dollar"},
                                     {W_QUOTED, "quoted"},
                                     {W_ASSIGNMENT, "assignment"},
                                     {W_COMPASSIGN, "compound"},
                                     {W_ASSIGNARG, "assignment-argument"},
                                     {W_ASSNBLTIN, "assignment-builtin"},
                                     {W_NOGLOB, "no-glob"},
                                     {W_NOSPLIT, "no-split"},
                                     {W_NOBRACE, "no-brace"},
                                     {W_NOPROCSUB, "no-process-substitution"},
                                     {0, 0}};

static const bit_name COMMAND_BITS[] = {{CMD_INVERT_RETURN, "negated"},
                                        {CMD_TIME_PIPELINE, "time"},
                                        {CMD_TIME_POSIX, "time-posix"},
                                        {CMD_AMPERSAND, "background"},
                                        {0, 0}};

static const char *const REDIRECTS[] = {
    [r_output_direction] = "output",
    [r_input_direction] = "input",
    [r_inputa_direction] = "input-async",
    [r_appending_to] = "append",
    [r_reading_until] = "heredoc",
    [r_reading_string] = "herestring",
    [r_duplicating_input] = "dup-input",
    [r_duplicating_output] = "dup-output",
    [r_deblank_reading_until] = "heredoc-tabs",
    [r_close_this] = "close",
    [r_err_and_out] = "output-both",
    [r_input_output] = "input-output",
    [r_output_force] = "output-force",
    [r_duplicating_input_word] = "dup-input-word",
    [r_duplicating_output_word] = "dup-output-word",
    [r_move_input] = "move-input",
    [r_move_output] = "move-output",
    [r_move_input_word] = "move-input-word",
    [r_move_output_word] = "move-output-word",
    [r_append_err_and_out] = "append-both",
};

/* The parser writes CTLESC before a CTLESC or CTLNUL of the source. */
static void put_word_text(buffer *b, const char *s) {
    char *plain = strdup(s), *out = plain;
    for (const char *in = s; *in; in++) {
        if (*in == CTLESC && (in[1] == CTLESC || in[1] == CTLNUL))
            in++;
        *out++ = *in;
    }
    *out = 0;
    put_string(b, plain);
    free(plain);
}

static void put_word(buffer *b, const WORD_DESC *word) {
    if (word == 0) {
        put(b, "null");
        return;
    }
    put(b, "[");
    put_word_text(b, word->word);
    put(b, ",");
    put_bits(b, word->flags, WORD_BITS);
    put(b, "]");
}

static void put_words(buffer *b, const WORD_LIST *words) {
    const char *comma = "";
    put(b, "[");
    for (; words; words = words->next, comma = ",") {
        put(b, comma);
        put_word(b, words->word);
    }
    put(b, "]");
}

static void put_redirect(buffer *b, const REDIRECT *r) {
    enum r_instruction op = r->instruction;
    put(b, "{\"op\":");
    put_string(b, REDIRECTS[op]);
    put_key(b, r->rflags & REDIR_VARASSIGN ? "variable" : "fd");
    if (r->rflags & REDIR_VARASSIGN)
        put_string(b, r->redirector.filename->word);
    else
        put_number(b, r->redirector.dest);
    if (op == r_duplicating_input || op == r_duplicating_output || op == r_move_input || op == r_move_output) {
        put_key(b, "source");
        put_number(b, r->redirectee.dest);
    } else if (op == r_reading_until || op == r_deblank_reading_until) {
        put_key(b, "delimiter");
        put_string(b, r->here_doc_eof);
        put_key(b, "target");
        put_word(b, r->redirectee.filename);
    } else if (op != r_close_this) {
        put_key(b, "target");
        put_word(b, r->redirectee.filename);
    }
    put(b, "}");
}

static void put_redirects(buffer *b, const REDIRECT *r) {
    const char *comma = "";
    put(b, "[");
    for (; r; r = r->next, comma = ",") {
        put(b, comma);
        put_redirect(b, r);
    }
    put(b, "]");
}

static buffer *begin_node(forest *f, const char *kind, int line, int flags) {
    buffer *b = &f->nodes;
    put(b, f->count ? ",{\"kind\":" : "{\"kind\":");
    put_string(b, kind);
    put_key(b, "line");
    put_number(b, line);
    put_key(b, "flags");
    put_bits(b, flags, COMMAND_BITS);
    return b;
}

static int end_node(forest *f) {
    put(&f->nodes, "}");
    return f->count++;
}

static void put_child(buffer *b, const char *key, int child) {
    put_key(b, key);
    if (child < 0)
        put(b, "null");
    else
        put_number(b, child);
}

static int add_condition(forest *f, const COND_COM *c) {
    static const char *const kinds[] = {[COND_AND] = "cond-and",     [COND_OR] = "cond-or",
                                        [COND_UNARY] = "cond-unary", [COND_BINARY] = "cond-binary",
                                        [COND_TERM] = "cond-term",   [COND_EXPR] = "cond-group"};
    if (c == 0)
        return -1;
    int left = add_condition(f, c->left), right = add_condition(f, c->right);
    buffer *b = begin_node(f, kinds[c->type], c->line, c->flags);
    put_key(b, "word");
    put_word(b, c->op);
    put_child(b, "left", left);
    put_child(b, "right", right);
    return end_node(f);
}

static const char *operator(int connector) {
    return connector == AND_AND ? "&&"
           : connector == OR_OR ? "||"
           : connector == '|'   ? "|"
           : connector == '&'   ? "&"
           : connector == '\n'  ? "\n"
                                : ";";
}

/* The commands inside a command, ended by one without a name; an absent command is null. */
typedef struct {
    const char *name;
    const COMMAND *command;
} part;

enum { MOST_PARTS = 3 };

static buffer *begin_compound(forest *f, const COMMAND *c, const char *kind, const part *parts) {
    int children[MOST_PARTS], count = 0;
    for (; parts[count].name; count++)
        children[count] = add_command(f, parts[count].command);
    buffer *b = begin_node(f, kind, c->line, c->flags);
    for (int i = 0; i < count; i++)
        put_child(b, parts[i].name, children[i]);
    put_key(b, "redirects");
    put_redirects(b, c->redirects);
    return b;
}

static buffer *begin_with_body(forest *f, const COMMAND *c, const char *kind, const COMMAND *body) {
    return begin_compound(f, c, kind, (part[]){{"body", body}, {0, 0}});
}

static const part NO_PARTS[] = {{0, 0}};

static int add_simple(forest *f, const COMMAND *c) {
    const SIMPLE_COM *simple = c->value.Simple;
    buffer *b = begin_node(f, "simple", simple->line, c->flags);
    put_key(b, "words");
    put_words(b, simple->words);
    put_key(b, "redirects");
    put_redirects(b, simple->redirects ? simple->redirects : c->redirects);
    return end_node(f);
}

static int add_case(forest *f, const COMMAND *c) {
    const CASE_COM *parts = c->value.Case;
    buffer clauses = {0};
    put(&clauses, "[");
    for (const PATTERN_LIST *p = parts->clauses; p; p = p->next) {
        int body = add_command(f, p->action);
        put(&clauses, p == parts->clauses ? "{\"end\":" : ",{\"end\":");
        put_string(&clauses, p->flags & CASEPAT_FALLTHROUGH ? ";&" : p->flags & CASEPAT_TESTNEXT ? ";;&" : ";;");
        put_child(&clauses, "body", body);
        put_key(&clauses, "patterns");
        put_words(&clauses, p->patterns);
        put(&clauses, "}");
    }
    put(&clauses, "]");
    buffer *b = begin_compound(f, c, "case", NO_PARTS);
    put_key(b, "word");
    put_word(b, parts->word);
    put_key(b, "clauses");
    put(b, clauses.bytes);
    free(clauses.bytes);
    return end_node(f);
}

static int add_for(forest *f, const COMMAND *c) {
    const FOR_COM *loop = c->value.For;
    buffer *b = begin_with_body(f, c, c->type == cm_for ? "for" : "select", loop->action);
    put_key(b, "name");
    put_word(b, loop->name);
    put_key(b, "words");
    put_words(b, loop->map_list);
    return end_node(f);
}

static int add_arithmetic(forest *f, const COMMAND *c) {
    if (c->type == cm_arith) {
        put_key(begin_compound(f, c, "arith", NO_PARTS), "expression");
        put_words(&f->nodes, c->value.Arith->exp);
        return end_node(f);
    }
    const ARITH_FOR_COM *loop = c->value.ArithFor;
    buffer *b = begin_with_body(f, c, "arith-for", loop->action);
    put_key(b, "init");
    put_words(b, loop->init);
    put_key(b, "test");
    put_words(b, loop->test);
    put_key(b, "step");
    put_words(b, loop->step);
    return end_node(f);
}

static int add_named(forest *f, const COMMAND *c) {
    int coproc = c->type == cm_coproc;
    const COMMAND *body = coproc ? c->value.Coproc->command : c->value.Function_def->command;
    buffer *b = begin_with_body(f, c, coproc ? "coproc" : "function", body);
    put_key(b, "name");
    put_string(b, coproc ? c->value.Coproc->name : c->value.Function_def->name->word);
    return end_node(f);
}

static int add_connection(forest *f, const COMMAND *c) {
    const CONNECTION *both = c->value.Connection;
    buffer *b = begin_compound(f, c, "connection", (part[]){{"left", both->first}, {"right", both->second}, {0, 0}});
    put_key(b, "op");
    put_string(b, operator(both->connector));
    return end_node(f);
}

static int add_while(forest *f, const COMMAND *c) {
    const WHILE_COM *loop = c->value.While;
    const part parts[] = {{"test", loop->test}, {"body", loop->action}, {0, 0}};
    begin_compound(f, c, c->type == cm_while ? "while" : "until", parts);
    return end_node(f);
}

static int add_if(forest *f, const COMMAND *c) {
    const IF_COM *choice = c->value.If;
    const part parts[] = {{"test", choice->test}, {"then", choice->true_case}, {"orelse", choice->false_case}, {0, 0}};
    begin_compound(f, c, "if", parts);
    return end_node(f);
}

static int add_cond(forest *f, const COMMAND *c) {
    int expression = add_condition(f, c->value.Cond);
    put_child(begin_compound(f, c, "cond", NO_PARTS), "expression", expression);
    return end_node(f);
}

int add_command(forest *f, const COMMAND *c) {
    if (c == 0)
        return -1;
    switch (c->type) {
    case cm_simple: return add_simple(f, c);
    case cm_connection: return add_connection(f, c);
    case cm_for:
    case cm_select: return add_for(f, c);
    case cm_case: return add_case(f, c);
    case cm_while:
    case cm_until: return add_while(f, c);
    case cm_if: return add_if(f, c);
    case cm_arith:
    case cm_arith_for: return add_arithmetic(f, c);
    case cm_cond: return add_cond(f, c);
    case cm_function_def:
    case cm_coproc: return add_named(f, c);
    case cm_group: begin_with_body(f, c, "group", c->value.Group->command); return end_node(f);
    case cm_subshell: begin_with_body(f, c, "subshell", c->value.Subshell->command); return end_node(f);
    }
    abort();
}
