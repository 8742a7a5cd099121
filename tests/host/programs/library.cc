// SPDX-License-Identifier: BSD-2-Clause
// library.cc FILE OUT - uses libbareprof from C++: writes FILE as text to OUT.
#include <bareprof/profile.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{
struct Free {
	void operator()(bareprof_profile *profile) const { bareprof_profile_free(profile); }
};

void check(bareprof_status status, const bareprof_message &message)
{
	if (status != BAREPROF_STATUS_OK)
		throw std::runtime_error(message.text);
}
} // namespace

int main(int argc, char **argv)
try {
	std::unique_ptr<bareprof_profile, Free> profile(bareprof_profile_new());
	bareprof_function function;
	bareprof_message message;

	if (argc != 3)
		return 2;
	check(bareprof_profile_read(profile.get(), argv[1], 1, &message), message);
	for (size_t i = 0; bareprof_profile_function(profile.get(), i, &function); i++)
		std::cout << std::string(reinterpret_cast<const char *>(function.name.data), function.name.size)
			  << ' ' << function.counters[0] << '\n';
	check(bareprof_profile_write_text(profile.get(), argv[2], &message), message);
	return 0;
} catch (const std::exception &error) {
	std::cerr << argv[1] << ": " << error.what() << ".\n";
	return 1;
}
