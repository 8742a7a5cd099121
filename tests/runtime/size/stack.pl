#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# stack.pl - computes the maximum stack that functions need, from the frames in the compiler's .su files and the calls
# in the disassembly. `stack.pl CALL SU... <DISASSEMBLY` prints, for each function, the bytes that it and all
# functions called from it need. CALL is the number of bytes that a call instruction pushes. Three kinds of calls
# through pointers are included: calls of a function that makes a payload, of an encoder, and of a function that opens a
# capture.
use strict;
use warnings;

# If gcc makes a variant of a function f, the variant is f.isra.0 in the disassembly and f.isra in the .su file.
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

# Collects the calls of other functions, and the jumps to other functions. A function pops its frame before such a
# jump.
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

my $forms = qr/^bareprof_encode_(text|frame)$/;
my %through = (bareprof_block => qr/_payload$/, bareprof_send => $forms, bareprof_small_dump => $forms, pull => $forms,
	open_image => qr/^bareprof_capture_(open|values)$/);
for my $from (grep { $calls{$_} } keys %through) {
	$calls{$from}{$_} = 1 for grep { $_ =~ $through{$from} } keys %calls;
}

my %done;
sub worst {
	my ($name, @path) = @_;
	return $done{$name} if defined $done{$name};
	die "recursion: @path $name\n" if grep { $_ eq $name } @path;
	return 0 if !defined $calls{$name}; # the address of data
	my $own = $frame{$name};
	# A function that the compiler outlined is not in the .su files. If it calls other functions, its frame holds
	# a saved return address; otherwise it has no frame.
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
