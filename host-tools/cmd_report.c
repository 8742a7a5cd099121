#include "commands.h"
const struct command command_report = {.name="report"};
