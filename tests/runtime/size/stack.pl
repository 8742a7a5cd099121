#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# stack.pl - the worst case of the stack: frames from the compiler's .su files,
# calls from the disassembly. `stack.pl CALL SU... <DISASSEMBLY` prints for each
# function what it and all it calls take; CALL is what the caller's instruction
# itself pushes. Of calls through pointers those are in it that stay within the
# runtime: a capture's payload, a form, and what opens a capture.
use strict;
use warnings;

# A function that gcc made a variant of: f.isra.0 in the disassembly, f.isra in the .su file.
my $name = qr/[A-Za-z_]\w*(?:\.[a-z]+)?/;

my $push = shift;
my %frame;
for my $su (@ARGV) {
	open my $f, '<', $su or die "$su: $!\n";
	while (<$f>) {
		die "$su: frame of no fixed size: $_" if !/:($name)\t(\d+)\t(static|dynamic,bounded)$/;
		$frame{$1} = $2 if !defined $frame{$1} || $frame{$1} < $2;
	}
}

# Calls, and jumps out of a function, after its own frame is gone.
my (%calls, %jumps, $in);
while (<STDIN>) {
	if (/^[0-9a-f]+ <($name)(?:\.\d+)?>:/) {
		$in = $1;
		$calls{$in} = {};
		$jumps{$in} = {};
	} elsif (/<unknown>/) {
		die "an instruction that is not known: $_";
	} elsif (defined $in && /^\s*[0-9a-f]+:\s+(\S+)\s[^<]*<($name)(?:\.\d+)?>/ && $2 ne $in) {
		my ($instruction, $to) = ($1, $2);
		($instruction =~ /^(bl|blx|bl\.w|call|callq)$/ ? $calls{$in} : $jumps{$in})->{$to} = 1;
	}
}

my $forms = qr/^bareprof_(text|frame)$/;
my %through = (bareprof_block => qr/_payload$/, bareprof_send => $forms, bareprof_small_dump => $forms,
	open_image => qr/^bareprof_capture_(open|values)$/);
for my $from (grep { $calls{$_} } keys %through) {
	$calls{$from}{$_} = 1 for grep { $_ =~ $through{$from} } keys %calls;
}

my %done;
sub worst {
	my ($name, @path) = @_;
	return $done{$name} if defined $done{$name};
	die "recursion: @path $name\n" if grep { $_ eq $name } @path;
	return 0 if !defined $calls{$name}; # data: a literal's address
	my $own = $frame{$name};
	# Pieces that the compiler shared out have no frame but a saved address.
	$own = %{$calls{$name}} ? 16 : 0 if !defined $own && $name =~ /^OUTLINED_FUNCTION_/;
	die "no frame known: $name\n" if !defined $own;
	my $most = $own + $push;
	for my $to (keys %{$calls{$name}}) {
		my $sum = $own + $push + worst($to, @path, $name);
		$most = $sum if $sum > $most;
	}
	for my $to (keys %{$jumps{$name}}) {
		my $sum = worst($to, @path, $name);
		$most = $sum if $sum > $most;
	}
	return $done{$name} = $most;
}

for my $name (sort keys %calls) {
	printf "%s %d\n", $name, worst($name) if $name ne '_start' && $name ne 'sink';
}
