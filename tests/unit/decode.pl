#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# decode.pl - a reader of captures, written from docs/SPEC.md alone, in another
# language than everything else here. `decode.pl file|text|frames IN OUT`
# checks every rule of the format and puts the streams together, one behind the
# other; what it found goes to standard output, what is wrong to standard error.
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
		$d{coded} = bytes($p, length($b{payload}) - $p->[1]);
		$s->{data}{$b{index}} = \%d;
	} elsif ($b{type} == 3) {
		$s->{end} = {index => $b{index}, blocks => uleb($p), streams => streams($p)};
		fail("bytes behind END") if $p->[1] != length $b{payload};
	} else {
		fail("unknown type $b{type}") if $b{type} < 0x80;
	}
	return 1;
}

# Pairs of a stream's number and its raw bytes.
sub streams {
	my ($p) = @_;
	my @streams = map { {number => u8($p), size => uleb($p)} } 1 .. uleb($p);
	my $numbers = join ' ', map { $_->{number} } @streams;
	fail("streams $numbers") if $numbers !~ /^(0|2|2 3)$/;
	return \@streams;
}

sub begin {
	my ($p) = @_;
	my %b;
	fail("format") if uleb($p) != 1;
	@b{qw(width order version nonce generation span streams)} =
		(u8($p), u8($p), u64($p), u64($p), uleb($p), uleb($p), streams($p));
	fail("width") if $b{width} != 4 && $b{width} != 8;
	fail("order") if $b{order} != 1 && $b{order} != 2;
	fail("span") if $b{span} < 1;
	$b{address} = uleb($p);
	$b{id} = bytes($p, uleb($p));
	fail("bytes behind BEGIN") if $p->[1] != length $p->[0];
	return \%b;
}

my %items; # how often each kind of item occurred

# The numbers that items stand for.
sub items {
	my ($coded, $most) = @_;
	my ($r, $before, @numbers) = ([$coded, 0], 0);
	while ($r->[1] < length $coded) {
		my $byte = u8($r);
		my ($kind, $times, $number) = ('number', 1, 0);
		if ($byte <= 0x3f) {
			$kind = $byte < 0x3f ? 'zeros' : 'more';
			$times = $byte < 0x3f ? $byte + 1 : uleb($r) + 64;
		} elsif ($byte <= 0x5f) {
			($kind, $times, $number) = ('repeat', $byte - 0x3f, $before);
		} elsif ($byte >= 0x61 && $byte <= 0x7f) {
			($kind, $number) = ('small', $byte - 0x60);
		} elsif ($byte >= 0x80 && $byte <= 0xbf) {
			($kind, $number) = ('middle', 32 + ($byte - 0x80) * 256 + u8($r));
		} elsif ($byte >= 0xc2 && $byte <= 0xc8) {
			$kind = 'of ' . ($byte - 0xc0);
			$number |= u8($r) << 8 * $_ for 0 .. $byte - 0xc1;
		} else {
			fail("an item of byte $byte");
		}
		fail("more numbers than there is room for") if $times < 0 || $times > $most - @numbers;
		push @numbers, ($number) x $times;
		$before = $number;
		$items{$kind}++;
	}
	fail("fewer numbers than there is room for") if @numbers != $most;
	return @numbers;
}

sub decode {
	my ($d, $order) = @_;
	if ($d->{coding} == 0) {
		fail("stored bytes") if length $d->{coded} != $d->{raw};
		return $d->{coded};
	}
	fail("coding $d->{coding}") if $d->{coding} > 3;
	fail("as long as what it stands for") if length $d->{coded} >= $d->{raw};
	if ($d->{coding} == 1) {
		fail("raw bytes of numbers") if $d->{raw} % 8;
		return pack $order == 1 ? 'Q<*' : 'Q>*', items($d->{coded}, $d->{raw} / 8);
	}
	my @bytes = items($d->{coded}, $d->{raw});
	fail("a byte that is none") if grep { $_ & ~255 } @bytes;
	@bytes = map { $_ ^ 255 } @bytes if $d->{coding} == 3;
	return pack 'C*', @bytes;
}

open my $f, '<:raw', $in or fail("cannot open");
my $all = do { local $/; <$f> };
close $f;
my $dropped = 0;

if ($form eq 'file') {
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
my @sizes = map { "$_->{number}:$_->{size}" } @{$begin->{streams}};
fail("END and BEGIN disagree") if "@sizes" ne join ' ', map { "$_->{number}:$_->{size}" } @{$end->{streams}};
my ($file, $i) = ('', 1);
my %coding;
for my $stream (@{$begin->{streams}}) {
	for (my $offset = 0; $offset < $stream->{size}; $offset += $begin->{span}) {
		my $d = $data->{$i} or fail("block $i is missing");
		fail("block $i is of another stream") if $d->{stream} != $stream->{number};
		fail("block $i covers another range") if $d->{offset} != $offset;
		my $left = $stream->{size} - $offset;
		fail("block $i has another size") if $d->{raw} != ($left < $begin->{span} ? $left : $begin->{span});
		$file .= decode($d, $begin->{order});
		$coding{$d->{coding}}++;
		$i++;
	}
}
fail("number of blocks") if $i != $end->{index};
open $f, '>:raw', $out or fail("cannot write");
print $f $file;
close $f;
printf "%d blocks, %d dropped, width %d, order %d, version %d, nonce %x, span %d, streams %s, address %x, id %d\n", $seen,
	$dropped, $begin->{width}, $begin->{order}, $begin->{version} & 0xffffffff, $begin->{nonce}, $begin->{span}, "@sizes",
	$begin->{address}, length $begin->{id};
print "coding $_: $coding{$_}\n" for sort keys %coding;
print "item $_: $items{$_}\n" for sort keys %items;
