#include "commands.h"
const struct command command_run = {.name="run"};
