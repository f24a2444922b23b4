/* raddle completion: what a shell needs to complete raddle's words, made from the tables of options. */
#include "cli/cli.h"

#include "base/mem.h"
#include "base/sbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct opt_command cmd_completion_options = {
    .name = "completion",
    .usage = "bash|zsh|fish",
    .summary = "print what a shell needs to complete raddle's words",
    .description =
        "The script completes commands, options, and the values of options that have a choice; everything "
        "else is a file. It is made from the tables that --help is made from.\n\n"
        "bash: raddle completion bash >~/.local/share/bash-completion/completions/raddle\n\n"
        "zsh: raddle completion zsh >DIR/_raddle, where DIR is a folder of $fpath\n\n"
        "fish: raddle completion fish >~/.config/fish/completions/raddle.fish\n\n"
        "make install puts all three where the shells look for them.\n\n"
        "Exit status: 0, or 64 if the shell is not one of these.",
};

static const struct opt_command *const commands[] = {
#define COMMAND(name) &cmd_##name##_options,
#include "cli/commands.def"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* The values of a choice, "a|b", or of a help that ends with "One of a b", with blanks between them
 * (allocated); NULL if it is none. */
static char *choices_of(const struct opt *o)
{
    const char *list = o->type == OPT_STRING ? strstr(o->help, "One of ") : NULL;
    if (list)
        return mem_strdup(list + strlen("One of "));
    if (o->type != OPT_STRING || !o->arg || !strchr(o->arg, '|') || strpbrk(o->arg, "[… "))
        return NULL;
    char *words = mem_strdup(o->arg);
    for (char *c = words; *c; c++)
        if (*c == '|')
            *c = ' ';
    return words;
}

static void put_commands(void)
{
    for (int i = 0; i < COMMANDS; i++)
        printf("%s%s", i ? " " : "", commands[i]->name);
}

/* In single quotes of a shell; up to the first of the characters in `end`. */
static void put_quoted(const char *text, const char *end, const char *quote)
{
    for (; *text && !strchr(end, *text); text++)
        if (*text == '\'')
            fputs(quote, stdout);
        else
            putchar(*text);
}

/* ---- bash ---- */

static void bash_command(const struct opt_command *c)
{
    printf("    %s)\n        words='--help", c->name);
    for (size_t i = 0; i < c->count; i++) {
        printf(" --%s", c->opts[i].name);
        if (c->opts[i].letter)
            printf(" -%c", c->opts[i].letter);
    }
    printf("'\n        case $before in\n");
    for (size_t i = 0; i < c->count; i++) {
        char *choices = choices_of(&c->opts[i]);
        if (choices)
            printf("        --%s) choices='%s' ;;\n", c->opts[i].name, choices);
        free(choices);
    }
    printf("        esac ;;\n");
}

static void print_bash(void)
{
    printf("# bash completion for raddle\n_raddle()\n{\n"
           "    local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local words='' choices=''\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '--help --version ");
    put_commands();
    printf("' -- \"$now\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < COMMANDS; i++)
        bash_command(commands[i]);
    printf("    esac\n"
           "    [ \"$before\" = completion ] && choices='bash zsh fish'\n"
           "    if [ -n \"$choices\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$choices\" -- \"$now\"))\n"
           "    elif [ \"${now#-}\" != \"$now\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n"
           "    else\n"
           "        COMPREPLY=($(compgen -f -- \"$now\"))\n"
           "    fi\n"
           "}\ncomplete -o filenames -F _raddle raddle\n");
}

/* ---- zsh ---- */

/* The help of an option up to its first clause; brackets and colons mean something there. */
static void zsh_option(const struct opt *o)
{
    char *choices = choices_of(o);
    printf(" \\\n            '--%s%s[", o->name, o->type == OPT_FLAG ? "" : "=");
    put_quoted(o->help, ";:[](", "'\\''");
    printf("]%s", o->type == OPT_FLAG ? "" : choices ? ":value:(" : ":value:_files");
    if (choices)
        printf("%s)", choices);
    printf("'");
    free(choices);
}

static void print_zsh(void)
{
    printf("#compdef raddle\n# zsh completion for raddle\n_raddle() {\n"
           "    if (( CURRENT == 2 )); then\n        local -a commands=(\n");
    for (int i = 0; i < COMMANDS; i++) {
        printf("            '%s:", commands[i]->name);
        put_quoted(commands[i]->summary, "", "'\\''");
        printf("'\n");
    }
    printf("        )\n        _describe command commands\n        return\n    fi\n"
           "    local command=${words[2]}\n"
           "    shift words\n    (( CURRENT-- ))\n    case $command in\n");
    for (int i = 0; i < COMMANDS; i++) {
        printf("    %s)\n        _arguments '--help[tell all about it]'", commands[i]->name);
        for (size_t k = 0; k < commands[i]->count; k++)
            zsh_option(&commands[i]->opts[k]);
        printf(" '*:%s' ;;\n",
               commands[i] == &cmd_completion_options ? "shell:(bash zsh fish)" : "file:_files");
    }
    printf("    esac\n}\n_raddle \"$@\"\n");
}

/* ---- fish ---- */

static void fish_option(const struct opt_command *c, const struct opt *o)
{
    char *choices = choices_of(o);
    printf("complete -c raddle -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (choices)
        printf(" -x -a '%s'", choices);
    else if (o->type != OPT_FLAG)
        printf(" -r");
    printf(" -d '");
    put_quoted(o->help, ";\\", "\\'");
    printf("'\n");
    free(choices);
}

static void print_fish(void)
{
    printf("# fish completion for raddle\n");
    for (int i = 0; i < COMMANDS; i++) {
        printf("complete -c raddle -f -n __fish_use_subcommand -a '%s' -d '", commands[i]->name);
        put_quoted(commands[i]->summary, "\\", "\\'");
        printf("'\n");
        for (size_t k = 0; k < commands[i]->count; k++)
            fish_option(commands[i], &commands[i]->opts[k]);
    }
    printf("complete -c raddle -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'\n");
}

int cmd_completion(int argc, char **argv)
{
    struct error e;
    int first = opt_parse(&cmd_completion_options, argc, argv, NULL, &e);
    if (first < 0)
        return error_print(&e);
    const char *shell = argc - first == 1 ? argv[first] : "";
    if (!strcmp(shell, "bash"))
        print_bash();
    else if (!strcmp(shell, "zsh"))
        print_zsh();
    else if (!strcmp(shell, "fish"))
        print_fish();
    else {
        error_set(&e, EXIT_USAGE, "raddle completion wants the name of a shell");
        error_todo(&e, "usage: raddle completion %s", cmd_completion_options.usage);
        return error_print(&e);
    }
    return EXIT_SAFE;
}
