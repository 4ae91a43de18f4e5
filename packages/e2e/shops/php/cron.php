<?php
// Asks what is due, of every invoice, until it is stopped. Several may run at once.

require __DIR__ . '/payments.php';

while (MISTAKE !== 'never-polled') {
    foreach (glob(DATA . '/invoices/*.json') as $path) {
        $all = json_decode((string) @file_get_contents($path), true);
        foreach ($all['payments'] ?? [] as $n => $paid) {
            $lock = fopen("$path.asking", 'c');
            if ($paid['ask_at'] !== null && $paid['ask_at'] <= now() && flock($lock, LOCK_EX | LOCK_NB)) {
                change_payment($all['invoice'], $n, function (&$paid) { $paid['state'] = $paid['state'] === 'sending' ? 'pending' : $paid['state']; });
                confirm($all['invoice'], $n);
            }
            fclose($lock);
        }
    }
    usleep(200_000);
}
