#!/usr/bin/python3
"""Does jobs of configuration on files of Debian packages, with ued and four other tools, and prints a table.

Each tool does a job as its manual suggests. A result is right if the file then has one of the texts
that the job wants. These differ only in where the added line is, in blanks, or in a comment that
may stay. The job then runs again: `yes` means that the second run did not touch the file.

    Benchmarks/config-jobs.py [--ued PROGRAM] [--ansible FOLDER] [--show]
"""

import argparse
import collections
import difflib
import os
import shutil
import subprocess
import sys
import tempfile

TOOLS = ["ued", "sed", "crudini", "augtool", "ansible"]
TITLES = ["`ued -i`", "`sed -i`", "crudini", "augtool", "Ansible"]

# A title, the package and the path of the file, a function that prepares its text, a function that
# returns the right texts, and the command of each tool. A tool without a command can't do the job.
# If no text is right, the tool must refuse the job.
Job = collections.namedtuple("Job", "title package path spoil wanted ways")
JOBS = []


def job(title, package, path, spoil, wanted, **ways):
    JOBS.append(Job(title, package, path, spoil, wanted, ways))


def swap(text, old, new):
    """The text with the only occurrence of `old` replaced."""
    assert text.count(old) == 1, (old, text.count(old))
    return text.replace(old, new)


def anywhere(text, line, first, last):
    """All texts with `line` added once, anywhere from just before `first` to just before `last`.

    Without `first`, the range begins at the start of the text; without `last`, it ends at its end.
    """
    lines = text.splitlines(keepends=True)
    end = lines.index(last) if last else len(lines)
    places = range(lines.index(first) if first else 0, end + 1)
    return ["".join(lines[:place] + [line] + lines[place:]) for place in places]


def augeas(lens, *commands):
    """The shell command that runs augtool on the file, which `commands` name $f."""
    script = "".join(f"{line}\n" for line in ("load", "defvar f /files$PWD/$file") + commands)
    return f'augtool -s -A -t "{lens}.lns incl $PWD/$file" <<EOF\n{script.replace("$f/", chr(92) + "$f/")}EOF'


def ansible(module, arguments):
    return f"ansible localhost -m {module} -a '{{\"path\": \"'$PWD/$file'\", {arguments}}}'"


# MARK: - sshd_config: settings before and in Match blocks

SSH = ("openssh-server", "usr/share/openssh/sshd_config")
BLOCKS = """
Match User bob
\tX11Forwarding no

Match Group sftp
PermitRootLogin yes
\tAllowTcpForwarding no
"""
MARKED = "# END ANSIBLE MANAGED BLOCK\n"


def blocks(text):
    return text + BLOCKS


# In ued's command, `in /^/,/^Match /` is the section before the first Match: /^/ matches the first
# line of the file. The key also occurs in a Match block, without indentation, which sshd allows.
ROOT = dict(
    ued="ued -i -e 'ensure /^#*PermitRootLogin / in /^/,/^Match / PermitRootLogin no' $file",
    sed="sed -i -E '1,/^Match /s/^#?PermitRootLogin .*/PermitRootLogin no/' $file",
    augtool=augeas("Sshd", "rm $f/PermitRootLogin", "ins PermitRootLogin before $f/Match[1]",
                   "set $f/PermitRootLogin no"),
    ansible=ansible("lineinfile", '"regexp": "^#?PermitRootLogin ", "line": "PermitRootLogin no", '
                    '"insertbefore": "^Match ", "firstmatch": true'))
ROOT_LINE = "#PermitRootLogin prohibit-password\n"

job("uncomment a key, not in a block", *SSH, blocks,
    lambda text: [swap(text, ROOT_LINE, "PermitRootLogin no\n")]
    + anywhere(text, "PermitRootLogin no\n", None, "Match User bob\n"), **ROOT)

job("the same commands, if the key is missing", *SSH, lambda text: swap(blocks(text), ROOT_LINE, ""),
    lambda text: anywhere(text, "PermitRootLogin no\n", None, "Match User bob\n"), **ROOT)

job("add a key to one block", *SSH, blocks,
    lambda text: [new for line in ("\tA", "  A", "# BEGIN ANSIBLE MANAGED BLOCK\n\tA") for new in anywhere(
        text, f"{line}llowTcpForwarding no\n" + MARKED * ("#" in line), "\tX11Forwarding no\n", "Match Group sftp\n")],
    ued="ued -i -e 'ensure /^\\s*AllowTcpForwarding / in /^Match User bob$/,/^Match / \tAllowTcpForwarding no' $file",
    sed="sed -i -e '/^Match User bob$/,/^Match /{/^\\s*AllowTcpForwarding /d}' "
        "-e '/^Match User bob$/a\\\tAllowTcpForwarding no' $file",
    augtool=augeas("Sshd", 'set $f/Match[Condition/User="bob"]/Settings/AllowTcpForwarding no'),
    ansible=ansible("blockinfile", '"block": "\\tAllowTcpForwarding no", "insertafter": "^Match User bob$"'))

job("set a key, drop its duplicate", *SSH,
    lambda text: swap(blocks(text), "#PasswordAuthentication yes\n", "PasswordAuthentication yes\n").replace(
        "\nUsePAM", "\nPasswordAuthentication yes\nUsePAM"),
    lambda text: anywhere(text.replace("PasswordAuthentication yes\n", ""), "PasswordAuthentication no\n", None,
                          "Match User bob\n"),
    ued="ued -i -e 'ensure /^PasswordAuthentication / before /^Match / PasswordAuthentication no' $file",
    sed="sed -i -e '0,/^PasswordAuthentication /{s/^\\(PasswordAuthentication \\).*/\\1no/;b}' "
        "-e '/^PasswordAuthentication /d' $file",
    augtool=augeas("Sshd", "rm $f/PasswordAuthentication[position()>1]", "set $f/PasswordAuthentication no"),
    ansible=ansible("lineinfile", '"regexp": "^PasswordAuthentication (?!no$)", "state": "absent"') + " && "
    + ansible("lineinfile", '"regexp": "^PasswordAuthentication ", "line": "PasswordAuthentication no", '
              '"insertbefore": "^Match ", "firstmatch": true'))

# MARK: - Files with sections

job("uncomment a key in a section", "systemd", "etc/systemd/journald.conf", None,
    lambda text: [swap(text, "#SystemMaxUse=\n", "SystemMaxUse=200M\n")]
    + anywhere(text, "SystemMaxUse=200M\n", "#Storage=auto\n", None),
    ued="ued -i -e 'ensure /^#*SystemMaxUse=/ in /^\\[Journal]$/,/^\\[/ SystemMaxUse=200M' $file",
    sed="sed -i '/^\\[Journal\\]$/,/^\\[/s/^#*\\(SystemMaxUse=\\).*/\\1200M/' $file",
    crudini="crudini --ini-options=nospace --set $file Journal SystemMaxUse 200M",
    augtool=augeas("Systemd", "set $f/Journal/SystemMaxUse/value 200M"),
    ansible=ansible("ini_file", '"section": "Journal", "option": "SystemMaxUse", "value": "200M", '
                    '"no_extra_spaces": true'))

job("set a key in one of four sections", "samba-common", "usr/share/samba/smb.conf", None,
    lambda text: [text.replace("   read only = yes\n", "   read only = no\n", 1)],
    ued="ued -i -e 'ensure /^ *read only *=/ in /^\\[homes]$/,/^\\[/    read only = no' $file",
    sed="sed -i '/^\\[homes\\]$/,/^\\[/s/^\\( *read only *=\\).*/\\1 no/' $file",
    crudini="crudini --set $file homes 'read only' no",
    augtool=augeas("Samba", 'set $f/target[.="homes"]/read\\\\ only no'),
    ansible=ansible("ini_file", '"section": "homes", "option": "read only", "value": "no"'))

job("uncomment a flag without value", "mariadb-server", "etc/mysql/mariadb.conf.d/50-server.cnf", None,
    lambda text: [swap(text, "#skip-name-resolve\n", "skip-name-resolve\n")]
    + anywhere(text, "skip-name-resolve\n", "pid-file                = /run/mysqld/mysqld.pid\n", "[embedded]\n"),
    ued="ued -i -e 'ensure /^#*skip-name-resolve/ in /^\\[mysqld]$/,/^\\[/ skip-name-resolve' $file",
    sed="sed -i '/^\\[mysqld\\]$/,/^\\[/s/^#\\(skip-name-resolve\\)/\\1/' $file",
    crudini="crudini --set $file mysqld skip-name-resolve",
    augtool=augeas("MySQL", 'set $f/target[.="mysqld"]/skip-name-resolve ""'),
    ansible=ansible("ini_file", '"section": "mysqld", "option": "skip-name-resolve", "allow_no_value": true'))

PHP = ("php8.2-common", "usr/lib/php/8.2/php.ini-production")

job("add a section with a key", *PHP, None,
    lambda text: [text + blank + "[xdebug]\nxdebug.mode" + equal + "develop\n"
                  for blank in ("", "\n", "\n\n") for equal in ("=", " = ")],
    ued="ued -i -e 'ensure /^\\[xdebug]/ [xdebug]' "
        "-e 'ensure /^xdebug.mode *=/ in /^\\[xdebug]/,/^\\[/ xdebug.mode = develop' $file",
    sed="grep -q '^\\[xdebug\\]' $file || sed -i '$a [xdebug]' $file; "
        "sed -i -e '/^\\[xdebug\\]/,/^\\[/{/^xdebug.mode *=/d}' -e '/^\\[xdebug\\]/a xdebug.mode = develop' $file",
    crudini="crudini --set $file xdebug xdebug.mode develop",
    augtool=augeas("PHP", "set $f/xdebug/xdebug.mode develop"),
    ansible=ansible("ini_file", '"section": "xdebug", "option": "xdebug.mode", "value": "develop"'))

job("set a key in a file with CR LF", *PHP, lambda text: text.replace("\n", "\r\n"),
    lambda text: [swap(text, "memory_limit = 128M", "memory_limit = 256M")],
    ued="ued -i -e 'ensure /^memory_limit *=/ in /^\\[PHP]$/,/^\\[/ memory_limit = 256M' $file",
    sed="sed -i 's/^\\(memory_limit *= *\\)[^\\r]*/\\1256M/' $file",
    crudini="crudini --set $file PHP memory_limit 256M",
    augtool=augeas("PHP", "set $f/PHP/memory_limit 256M"),
    ansible=ansible("ini_file", '"section": "PHP", "option": "memory_limit", "value": "256M"'))

# MARK: - Other files

job("uncomment a key in braces", "nginx-common", "etc/nginx/nginx.conf", None,
    lambda text: [swap(text, "\t# server_tokens off;\n", "\tserver_tokens off;\n")]
    + [swap(text, "/sites-enabled/*;\n", f"/sites-enabled/*;\n{blank}server_tokens off;\n") for blank in ("\t", "")],
    ued="ued -i -e 'ensure /^[[:blank:]#]*server_tokens / in /^http {$/,/^}/ \tserver_tokens off;' $file",
    sed="sed -i '/^http {$/,/^}/s/^\\t# \\(server_tokens\\) .*/\\t\\1 off;/' $file",
    augtool=augeas("Nginx", "set $f/http/server_tokens off"),
    ansible=ansible("lineinfile", '"regexp": "^[\\\\s#]*server_tokens ", "line": "\\tserver_tokens off;", '
                    '"insertafter": "^http \\\\{"'))

job("set a key, keep a missing last newline", "procps", "etc/sysctl.conf", lambda text: text.rstrip("\n"),
    lambda text: [swap(text, "#net.ipv4.ip_forward=1\n", "net.ipv4.ip_forward=1\n")]
    + anywhere(text, "net.ipv4.ip_forward=1\n", None, "#kernel.sysrq=438")
    + [text + "\nnet.ipv4.ip_forward = 1"],
    ued="ued -i -e 'ensure /^#*net.ipv4.ip_forward *=/ net.ipv4.ip_forward=1' $file",
    sed="sed -i 's/^#*\\(net.ipv4.ip_forward *=\\).*/\\11/' $file",
    crudini="crudini --ini-options=nospace --set $file '' net.ipv4.ip_forward 1",
    augtool=augeas("Sysctl", "set $f/net.ipv4.ip_forward 1"),
    ansible=ansible("lineinfile", '"regexp": "^#*net.ipv4.ip_forward *=", "line": "net.ipv4.ip_forward=1"'))

job("add a line behind a missing last newline", "cron-daemon-common", "etc/crontab", lambda text: text.rstrip("\n"),
    lambda text: [text + "\n30 3 * * * root /usr/local/sbin/backup\n"],
    ued="ued -i -e 'ensure |/usr/local/sbin/backup$| 30 3 * * * root /usr/local/sbin/backup' $file",
    sed="grep -q /usr/local/sbin/backup $file || sed -i -e '$a 30 3 * * * root /usr/local/sbin/backup' $file",
    augtool=augeas(
        "Cron", 'rm $f/entry[.="/usr/local/sbin/backup"]', "set $f/entry[last()+1] /usr/local/sbin/backup",
        "set $f/entry[last()]/time/minute 30", "set $f/entry[last()]/time/hour 3",
        'set $f/entry[last()]/time/dayofmonth "*"', 'set $f/entry[last()]/time/month "*"',
        'set $f/entry[last()]/time/dayofweek "*"', "set $f/entry[last()]/user root"),
    ansible=ansible("lineinfile", '"regexp": "/usr/local/sbin/backup$", '
                    '"line": "30 3 * * * root /usr/local/sbin/backup"'))

job("add an option to a line", "mount", "usr/share/doc/mount/examples/mount.fstab", None,
    lambda text: [swap(text, "\t/\t\text2\tdefaults", "\t/\t\text2\tdefaults,noatime")],
    ued="ued -i -e 'g|^[^#]\\S*\\s\\+/\\s|s/,noatime//\\' -e 's/^\\(\\S\\+\\s\\+\\)\\{3\\}\\S\\+/&,noatime/' $file",
    sed="sed -i -E '/^[^#]\\S*\\s+\\/\\s/{/noatime/!s/^(\\S+\\s+){3}\\S+/&,noatime/}' $file",
    augtool=augeas("Fstab", 'rm $f/*[file="/"]/opt[.="noatime"]', 'ins opt after $f/*[file="/"]/opt[last()]',
                   'set $f/*[file="/"]/opt[last()] noatime'),
    ansible=ansible("lineinfile", '"backrefs": true, "line": "\\\\1\\\\2,noatime\\\\3", '
                    '"regexp": "^([^#]\\\\S*\\\\s+/\\\\s+\\\\S+\\\\s+)(?!\\\\S*noatime)(\\\\S+)(.*)"'))

# MARK: - Blocks between markers

OLD, NEW = ("# BEGIN site\napp 7000/tcp\n", "# BEGIN site\napp 7001/tcp\napp 7001/udp\n")
BLOCK = dict(
    ued=f"ued -i $file <<'.'\nensure /^# BEGIN site$/,/^# END site$/ <<END\n{NEW}# END site\nEND\n.",
    sed="sed -i '/^# BEGIN site$/,/^# END site$/c\\\n" + f"{NEW}# END site".replace("\n", "\\\n") + "' $file",
    ansible=ansible("blockinfile", '"marker": "# {mark} site", "block": "app 7001/tcp\\napp 7001/udp\\n"'))

job("replace a block between markers", "netbase", "etc/services",
    lambda text: swap(text, "time\t\t37/tcp", OLD + "# END site\ntime\t\t37/tcp"),
    lambda text: [swap(text, OLD, NEW)], **BLOCK)

job("refuse a block without its end", "netbase", "etc/services",
    lambda text: swap(text, "time\t\t37/tcp", OLD + "time\t\t37/tcp"),
    lambda text: [], **BLOCK)

# MARK: - Running and judging


def shell(command, environment):
    """The exit status of a shell command, and what it said."""
    done = subprocess.run(["bash", "-c", command], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode()


def read(name):
    with open(name, newline="") as file:
        return file.read()


def fault(before, after, wanted, status):
    """Says in a few words how a wrong text differs from the right text that is most like it."""
    if after == before:
        return f"no: does nothing, status {status}"
    if any(after.replace("\r", "") == text.replace("\r", "") for text in wanted):
        return "no: CR removed" if after.count("\r") < before.count("\r") - 1 else "no: the line has no CR"
    if any(after.rstrip("\n") == text.rstrip("\n") for text in wanted):
        return "no: newline at the end " + ("added" if after.endswith("\n") else "missing")
    after = collections.Counter(after.splitlines(keepends=True))
    lines = [collections.Counter(text.splitlines(keepends=True)) for text in wanted or [before]]
    lost, more = min(((text - after, after - text) for text in lines),
                     key=lambda pair: pair[0].total() + pair[1].total())
    if not lost and not more:
        return "no: in a wrong place"
    parts = [f"{lost.total()} line{'s' * (lost.total() > 1)} lost"] * bool(lost)
    if more:
        parts.append(f"writes `{next(iter(more)).rstrip()}`" if more.total() == 1 else f"{more.total()} too many")
    return "no: " + ", ".join(parts)


def judge(job, tool, original, show):
    """Runs a tool on a copy of the file in the current folder; returns its cell of the table."""
    if tool not in job.ways:
        return "can't"
    name = os.path.basename(job.path)
    environment = dict(os.environ, file=name)
    with open(name, "w", newline="") as file:
        file.write(original)
    status, said = shell(job.ways[tool], environment)
    first, seen = read(name), os.stat(name)
    wanted = job.wanted(original)
    if show:
        print(f"## {job.title}\n{job.ways[tool]}\n{said}status {status}")
        sys.stdout.writelines(difflib.unified_diff(
            original.splitlines(keepends=True), first.splitlines(keepends=True), n=1))
    if not wanted:
        return "yes" if first == original and status and said else fault(original, first, [], status)
    if first not in wanted:
        return fault(original, first, wanted, status)
    again, said = shell(job.ways[tool], environment)
    if read(name) != first:
        return "no: the second run changes more"
    if status or again:
        return f"yes, but status {status}, then {again}"
    found = os.stat(name)
    is_same = (found.st_ino, found.st_mtime_ns) == (seen.st_ino, seen.st_mtime_ns)
    return "yes" if is_same else "yes, rewrites"


def unpack(package, folder):
    """Gets a package and unpacks it, once."""
    target = os.path.join(folder, package)
    if not os.path.isdir(target):
        if shell(f"cd {folder} && apt-get -qq download {package}", None)[0]:
            sys.exit(f"can't download {package}: try 'apt-get update'")
        subprocess.run(f"dpkg-deb -x {folder}/{package}_*.deb {target}", shell=True, check=True)
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ued", default=".build/release/ued")
    parser.add_argument("--ansible", default=".build/config-jobs", help="a virtual environment with Ansible")
    parser.add_argument("--show", action="store_true", help="show what each command said and changed")
    options = parser.parse_args()
    ued, environment = os.path.realpath(options.ued), os.path.realpath(options.ansible)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("packages", "home", "bin", "work"):
            os.mkdir(os.path.join(folder, name))
        os.symlink(ued, f"{folder}/bin/ued")
        os.environ.update(
            PATH=f"{folder}/bin:{environment}/bin:{os.environ['PATH']}", HOME=f"{folder}/home", LC_ALL="C.UTF-8",
            ANSIBLE_LOCALHOST_WARNING="false", ANSIBLE_INVENTORY_UNPARSED_WARNING="false")
        missing = [tool for tool in TOOLS if not shutil.which(tool)]
        if missing:
            sys.exit(f"missing: {' '.join(missing)}; 'make bench-config' installs them")
        os.chdir(f"{folder}/work")
        print("| | " + " | ".join(TITLES) + " |\n|" + " --- |" * (len(TOOLS) + 1))
        for job in JOBS:
            text = read(os.path.join(unpack(job.package, f"{folder}/packages"), job.path))
            text = job.spoil(text) if job.spoil else text
            cells = [judge(job, tool, text, options.show) for tool in TOOLS]
            print(f"| {job.title} | " + " | ".join(cells) + " |", flush=True)
        print()
        for tool in TOOLS:
            print(shell(f"{tool} --version", None)[1].splitlines()[0])


main()
