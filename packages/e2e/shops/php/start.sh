#!/bin/sh
# The shop and four of its crons, in one process group.
cd "$(dirname "$0")"
for _ in 1 2 3 4; do php cron.php & done
PHP_CLI_SERVER_WORKERS=8 exec php -q -S "127.0.0.1:$PORT" shop.php
