// libedit for Swift, which can't call variadic functions: one typed wrapper for each use of one.
#pragma once

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

// From libtinfo, which libedit uses; its header defines macros with common names.
int tgetent(char *buffer, const char *name);
int tgetflag(const char *capability);
char *tgetstr(const char *capability, char **area);

// Reads one key: 1, or 0 at the end of the input, or -1.
typedef int (*cedit_key_reader)(EditLine *, wchar_t *);
// An editing function that keys can be bound to; returns one of the CC_ values.
typedef unsigned char (*cedit_function)(EditLine *, int);

// The bytes written to a stream in memory.
typedef struct {
  char *bytes;
  size_t count;
} cedit_text;

static inline FILE *cedit_open_text(cedit_text *text) {
  return open_memstream(&text->bytes, &text->count);
}

// Reads from a terminal, and prints, errors too, to a stream that need not be one.
static inline EditLine *cedit_open(const char *program, FILE *input, FILE *output, int terminal) {
  return el_init_fd(program, input, output, output, fileno(input), terminal, terminal);
}

static inline void cedit_set_client(EditLine *line, void *client) {
  el_set(line, EL_CLIENTDATA, client);
}

static inline void *cedit_client(EditLine *line) {
  void *client = NULL;
  el_get(line, EL_CLIENTDATA, &client);
  return client;
}

static inline void cedit_use_emacs_keys(EditLine *line) { el_set(line, EL_EDITOR, "emacs"); }

// Makes libedit's own, invisible display so wide that lines do not wrap: libedit can crash when a wrapped line grows.
// libedit reads the size of the terminal again before each line. The display gets only a few rows: each takes time and
// memory, and a terminal may claim any number.
static inline void cedit_keep_wide(EditLine *line) {
  int columns = 0;
  el_get(line, EL_GETTC, "co", &columns);
  if (columns == 50000) return;
  el_set(line, EL_SETTC, "li", "24", NULL);
  el_set(line, EL_SETTC, "co", "50000", NULL);
}

static inline void cedit_leave_signals_alone(EditLine *line) { el_set(line, EL_SIGNAL, 0); }

static inline void cedit_set_key_reader(EditLine *line, cedit_key_reader reader) {
  el_wset(line, EL_GETCFN, reader);
}

static inline void cedit_add_function(EditLine *line, const char *name, const char *help,
                                      cedit_function function) {
  el_set(line, EL_ADDFN, name, help, function);
}

static inline void cedit_bind(EditLine *line, const char *keys, const char *function) {
  el_set(line, EL_BIND, keys, function, NULL);
}

// Prints the binding of keys, or that they are unbound.
static inline void cedit_print_binding(EditLine *line, const char *keys) {
  el_set(line, EL_BIND, keys, NULL);
}

// Binds a key in the alternate key map, which is vi's command mode.
static inline void cedit_bind_alternate(EditLine *line, const char *keys, const char *function) {
  el_set(line, EL_BIND, "-a", keys, function, NULL);
}

static inline int cedit_uses_vi_keys(EditLine *line) {
  const char *name = NULL;
  return el_get(line, EL_EDITOR, &name) == 0 && name != NULL && strcmp(name, "vi") == 0;
}

// Binds a key in both key maps.
static inline void cedit_bind_everywhere(EditLine *line, const char *keys, const char *function) {
  cedit_bind(line, keys, function);
  cedit_bind_alternate(line, keys, function);
}

// The place of the text among the words of a setting that binds keys to text; 0 for all other settings. Sets `isIdle`
// if keys that insert are bound to vi's repetition, which libedit would then repeat without end.
static inline int cedit_macro_text(int count, const char **words, int *isIdle) {
  const char *colon = strchr(words[0], ':');
  if (strcmp(colon != NULL ? colon + 1 : words[0], "bind") != 0) return 0;
  int isMacro = 0, isRemoval = 0, isAlternate = 0, place = 1;
  for (; place < count && words[place][0] == '-'; place++) {
    isMacro |= words[place][1] == 's';
    isRemoval |= words[place][1] == 'r';
    isAlternate |= words[place][1] == 'a';
  }
  if (isRemoval || place + 1 >= count) return 0;
  *isIdle = !isMacro && !isAlternate && strcmp(words[place + 1], "vi-redo") == 0;
  return isMacro ? place + 1 : 0;
}

// libedit's function writes past the end of a line that must grow for the copy, so settings bind ours instead.
static inline void cedit_name_replacements(int count, const char **words) {
  for (int place = 1; place < count; place++) {
    if (strcmp(words[place], "em-copy-prev-word") == 0) words[place] = "ued-copy-prev-word";
  }
}

// Runs a line of settings; 0 if libedit understands it and it is not for another program.
//
// Keys that are bound to text get the text `indirect` instead, which ends with the keys `inner`. Only `inner` is bound
// to the text of the setting. The function of the first key of `indirect` is thus called before each such text.
static inline int cedit_run_setting(EditLine *line, const char *setting, const char *indirect,
                                    const char *inner) {
  // libedit copies keys and text into buffers of 1024 characters, without a look at their size.
  if (strlen(setting) > 1000) return -1;
  Tokenizer *tokenizer = tok_init(NULL);
  if (tokenizer == NULL) return 0;
  int count = 0;
  const char **words = NULL;
  int result = tok_str(tokenizer, setting, &count, &words);
  int isIdle = 0;
  int place = result == 0 && count > 0 ? cedit_macro_text(count, words, &isIdle) : 0;
  if (place > 0) {
    const char *text = words[place];
    result = el_set(line, EL_BIND, "-s", inner, text, NULL);
    if (result == 0) result = el_set(line, EL_BIND, "-a", "-s", inner, text, NULL);
    words[place] = indirect;
  }
  if (place == 0) cedit_name_replacements(count, words);
  if (result == 0 && count > 0 && !isIdle) result = el_parse(line, count, words);
  tok_end(tokenizer);
  return result;
}

/* While a line is edited, carriage returns and newlines stay what they are, where libedit would swap them,
   an interrupt leaves what was typed before it to be read, and ^S and ^Q can be typed. */
static inline void cedit_keep_input(EditLine *line) {
  el_set(line, EL_SETTY, "-d", "-icrnl", "-inlcr", "-ixon", "+noflsh", NULL);
}

static inline void cedit_set_raw(EditLine *line, int raw) { el_set(line, EL_PREP_TERM, raw); }

static inline void cedit_set_history(EditLine *line, History *recall) {
  el_set(line, EL_HIST, history, recall);
}

// A recall of at most `size` lines, without equal lines in a row.
static inline History *cedit_new_history(int size) {
  HistEvent event;
  History *recall = history_init();
  if (recall != NULL) {
    history(recall, &event, H_SETSIZE, size);
    history(recall, &event, H_SETUNIQUE, 1);
  }
  return recall;
}

static inline void cedit_remember(History *recall, const char *line) {
  HistEvent event;
  history(recall, &event, H_ENTER, line);
}

// The newest line of a recall, and then each older one; NULL after the oldest.
static inline const char *cedit_recalled(History *recall, int isNewest) {
  HistEvent event;
  return history(recall, &event, isNewest ? H_FIRST : H_NEXT) == 0 ? event.str : NULL;
}

// Whether the locale's encoding is ASCII, as in the C locale.
static inline int cedit_locale_is_ascii(void) {
  return strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") == 0;
}
