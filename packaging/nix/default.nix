# A recipe for Nix on Linux: nix-build packaging/nix
# Untested: it has never been evaluated. Nixpkgs may not have Swift 6.2 yet, which Package.swift asks for.
{ pkgs ? import <nixpkgs> { } }:

pkgs.swiftPackages.stdenv.mkDerivation {
  pname = "ued";
  version = "1.0.0";
  src = ../..;

  nativeBuildInputs = with pkgs; [ swift swiftpm pkg-config ];
  # Package.swift links static archives, as Debian has them.
  buildInputs = with pkgs.pkgsStatic; [ libedit libbsd libmd ncurses sqlite xxHash zlib ];

  # `make build` would call apt-get.
  buildPhase = ''
    export UED_COMMIT=$(sed -n 's/^\([0-9a-f]\{9\}\).*/\1/p' packaging/commit)
    swift build -c release --product ued
  '';
  installPhase = ''
    make install PREFIX=$out SHELL=${pkgs.bash}/bin/bash --assume-old=.build/release/ued
  '';

  meta = {
    description = "Line editor with the language of ed and an undo tree";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.linux;
  };
}
