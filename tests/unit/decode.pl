#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# decode.pl - a reader of captures, written from docs/SPEC.md alone, in another
# language than everything else here. `decode.pl blocks|text|frames IN OUT`
# checks every rule of the format and puts the .profraw together; what it found
# goes to standard output, what is wrong to standard error.
use strict;
use warnings;
use integer;

my ($form, $in, $out) = @ARGV;

my @table;
for my $n (0 .. 255) {
	my $c = $n;
	$c = $c & 1 ? ($c >> 1) ^ 0x82f63b78 : $c >> 1 for 1 .. 8;
	push @table, $c;
}

sub crc32c {
	my $crc = 0xffffffff;
	$crc = ($crc >> 8 & 0xffffff) ^ $table[($crc ^ $_) & 0xff] for unpack 'C*', $_[0];
	return ~$crc & 0xffffffff;
}

sub fail { print STDERR "$in: @_\n"; exit 1 }

# A reader of fields: [bytes, position].
sub bytes {
	my ($r, $n) = @_;
	fail("cut short") if $n < 0 || length($r->[0]) - $r->[1] < $n;
	$r->[1] += $n;
	return substr $r->[0], $r->[1] - $n, $n;
}

sub u8 { return ord bytes($_[0], 1) }
sub u32 { return unpack 'V', bytes($_[0], 4) }
sub u64 { return unpack 'Q<', bytes($_[0], 8) }

sub uleb {
	my ($value, $shift) = (0, 0);
	while (1) {
		my $b = u8($_[0]);
		fail("ULEB too long") if $shift > 63 || ($shift == 63 && $b > 1);
		$value |= ($b & 0x7f) << $shift;
		return $value if $b < 0x80;
		$shift += 7;
	}
}

my %session;
my @tags;
my $seen = 0;

# One block at the reader's position; 0 if its CRC is wrong.
sub block {
	my ($r) = @_;
	my $start = $r->[1];
	my %b = (type => u8($r), image => uleb($r), index => uleb($r), tag => u32($r));
	$b{payload} = bytes($r, uleb($r));
	my $covered = substr $r->[0], $start, $r->[1] - $start;
	return 0 if u32($r) != crc32c($covered);
	$seen++;
	fail("image number") if $b{image} > 65535;
	if (!$session{$b{tag}}) {
		$session{$b{tag}} = {};
		push @tags, $b{tag};
	}
	my $s = $session{$b{tag}};
	my $p = [$b{payload}, 0];
	if ($b{type} == 1) {
		fail("BEGIN is not block 0") if $b{index};
		fail("tag is not BEGIN's CRC") if crc32c($b{payload}) != $b{tag};
		$s->{begin} = begin($p);
	} elsif ($b{type} == 2) {
		my %d = (index => $b{index}, stream => u8($p), coding => u8($p), offset => uleb($p), raw => uleb($p));
		fail("stream or coding") if $d{stream} || $d{coding};
		$d{bytes} = bytes($p, $d{raw});
		fail("bytes behind DATA") if $p->[1] != length $b{payload};
		$s->{data}{$b{index}} = \%d;
	} elsif ($b{type} == 3) {
		$s->{end} = {index => $b{index}, blocks => uleb($p), streams => uleb($p)};
		fail("streams") if $s->{end}{streams} != 1 || u8($p) != 0;
		$s->{end}{size} = uleb($p);
		fail("bytes behind END") if $p->[1] != length $b{payload};
	} else {
		fail("unknown type $b{type}") if $b{type} < 0x80;
	}
	return 1;
}

sub begin {
	my ($p) = @_;
	my %b;
	fail("format") if uleb($p) != 1;
	@b{qw(width order version nonce generation span stream)} =
		(u8($p), u8($p), u64($p), u64($p), uleb($p), uleb($p), uleb($p));
	fail("width") if $b{width} != 4 && $b{width} != 8;
	fail("order") if $b{order} != 1 && $b{order} != 2;
	fail("span") if $b{span} < 1;
	my $n = uleb($p);
	for (1 .. $n) {
		my $size = uleb($p);
		push @{$b{sizes}}, $size;
		push @{$b{addresses}}, $size ? uleb($p) : 0;
	}
	fail("sections") if $n != 6;
	$b{id} = bytes($p, uleb($p));
	fail("bytes behind BEGIN") if $p->[1] != length $p->[0];
	return \%b;
}

open my $f, '<:raw', $in or fail("cannot open");
my $all = do { local $/; <$f> };
close $f;
my $dropped = 0;

if ($form eq 'blocks') {
	my $r = [$all, 0];
	my $magic = "\x89\x62\x70\x63\x0d\x0a\x1a\x0a";
	while ($r->[1] < length $all) {
		if (substr($all, $r->[1], 8) eq $magic) {
			$r->[1] += 8;
			next;
		}
		fail("a block's CRC") if !block($r);
	}
} elsif ($form eq 'text') {
	my %digit;
	@digit{'A' .. 'Z', 'a' .. 'z', '0' .. '9', '+', '/'} = (0 .. 63);
	while ($all =~ m{\@bp:([A-Za-z0-9+/]*)}g) {
		my $text = $1;
		my ($bits, $n, $block) = (0, 0, '');
		for my $c (split //, $text) {
			$bits = ($bits << 6 | $digit{$c}) & 0xffffff;
			$n += 6;
			next if $n < 8;
			$n -= 8;
			$block .= chr($bits >> $n & 0xff);
		}
		# What is cut on purpose has too few bytes for a block.
		if (length $block < 16 || !block([$block, 0])) {
			$dropped++;
		}
	}
} else {
	for my $frame (split /\0+/, $all) {
		my ($block, $i) = ('', 0);
		while ($i < length $frame) {
			my $code = ord substr $frame, $i, 1;
			$block .= substr $frame, $i + 1, $code - 1;
			$i += $code;
			$block .= "\0" if $code < 255 && $i < length $frame;
		}
		if ($i != length $frame || length $block < 16 || !block([$block, 0])) {
			$dropped++;
		}
	}
}

fail(scalar(@tags), "sessions") if @tags != 1;
my ($begin, $data, $end) = @{$session{$tags[0]}}{qw(begin data end)};
fail("no BEGIN") if !$begin;
fail("no END") if !$end;
fail("END's index") if $end->{index} != $end->{blocks} + 1;
fail("END and BEGIN disagree") if $end->{size} != $begin->{stream};
fail("number of blocks") if $end->{blocks} != ($begin->{stream} + $begin->{span} - 1) / $begin->{span};
my $file = '';
for my $i (1 .. $end->{blocks}) {
	my $d = $data->{$i} or fail("block $i is missing");
	fail("block $i covers another range") if $d->{offset} != ($i - 1) * $begin->{span};
	my $left = $begin->{stream} - $d->{offset};
	fail("block $i has another size") if $d->{raw} != ($left < $begin->{span} ? $left : $begin->{span});
	$file .= $d->{bytes};
}
open $f, '>:raw', $out or fail("cannot write");
print $f $file;
close $f;
printf "%d blocks, %d dropped, width %d, order %d, version %d, nonce %x, span %d, stream %d, id %d\n", $seen, $dropped,
	$begin->{width}, $begin->{order}, $begin->{version} & 0xffffffff, $begin->{nonce}, $begin->{span}, $begin->{stream},
	length $begin->{id};
