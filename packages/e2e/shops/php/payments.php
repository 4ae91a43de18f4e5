<?php
// A shop that takes card payments by requests written by hand: on the gateway's page, or with a card form of its own. It is right,
// unless the environment has MISTAKE: ../mistakes.ts says which there are. shop.php answers requests, cron.php asks what became of
// payments. Each invoice is a file.

define('MISTAKE', getenv('MISTAKE'));
define('LOGIN', getenv('TALLYSTICK_LOGIN'));
define('KEY', getenv('TALLYSTICK_CONTROL_KEY'));
define('ENDPOINT', getenv('TALLYSTICK_ENDPOINT'));
define('SHOP_URL', getenv('SHOP_URL'));
define('DATA', getenv('SHOP_DATA'));
const EMAIL = 'customer@example.com';
const OVER = ['declined', 'filtered', 'error'];
const WAITING = ['sending', 'pending'];

function now(): float
{
    return microtime(true) + (float) @file_get_contents(DATA . '/clock');
}

function path(string $folder, string $name): string
{
    @mkdir(DATA . "/$folder", 0700, true);
    return DATA . "/$folder/" . hash('sha256', $name);
}

/** Calls $change with the invoice, of which one process at a time has it, and stores what it leaves. */
function with_invoice(string $invoice, callable $change): mixed
{
    $path = path('invoices', $invoice);
    $lock = fopen("$path.lock", 'c');
    flock($lock, LOCK_EX);
    $before = read_invoice($invoice);
    $after = $before;
    $result = $change($after);
    if ($after !== $before) {
        file_put_contents("$path.new", json_encode($after));
        rename("$path.new", "$path.json");
    }
    fclose($lock);
    return $result;
}

function read_invoice(string $invoice): array
{
    $text = @file_get_contents(path('invoices', $invoice) . '.json');
    return $text === false ? ['invoice' => $invoice, 'payments' => [], 'refunds' => [], 'delivered' => 0] : json_decode($text, true);
}

/** The payment with the number $n, changed by $change if it is there. */
function change_payment(string $invoice, int $n, callable $change): mixed
{
    return with_invoice($invoice, function (&$all) use ($n, $change) {
        return isset($all['payments'][$n]) ? $change($all['payments'][$n], $all) : null;
    });
}

/** The invoice and the number of a payment. */
function find_payment(string $client_id): ?array
{
    $text = @file_get_contents(path('clients', $client_id));
    return $text === false ? null : json_decode($text, true);
}

/** Minor units of an amount such as 10.5, by its digits. The interface counts two decimals in any currency. */
function cents(?string $amount): ?int
{
    if (!preg_match('/^(\d{1,10})(?:\.(\d{1,2})0*)?$/', $amount ?? '', $found)) {
        return null;
    }
    return (int) ($found[1] . str_pad($found[2] ?? '', 2, '0'));
}

function major(int $cents): string
{
    return sprintf('%d.%02d', intdiv($cents, 100), $cents % 100);
}

function shorten(string $text, int $most): string
{
    preg_match("/^.{0,$most}/us", $text, $found);
    return $found[0] ?? '';
}

/** The reply's fields, or null if nobody can know what became of the request. */
function ask(string $operation, array $fields): ?array
{
    $curl = curl_init(getenv('TALLYSTICK_BASE_URL') . "/api/v2/$operation/" . ENDPOINT);
    curl_setopt_array($curl, [
        CURLOPT_POSTFIELDS => http_build_query($fields),
        CURLOPT_HTTPHEADER => ['Accept: application/vnd.pay+json'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_FOLLOWLOCATION => false,
        CURLOPT_ENCODING => '',
        CURLOPT_PROXY => '',
        CURLOPT_CONNECTTIMEOUT => 10,
        CURLOPT_TIMEOUT_MS => (int) (getenv('GATEWAY_TIMEOUT_MS') ?: 10000),
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        error_log("$operation: " . curl_error($curl));
        return null;
    }
    if (str_starts_with($text, '{')) {
        $read = json_decode($text, true, 512, JSON_BIGINT_AS_STRING) ?? [];
    } else {
        parse_str($text, $read);
    }
    $read = array_map(fn($value) => is_scalar($value) ? trim((string) $value) : '', $read);
    return isset($read['type']) ? $read : null;
}

/** Sends a payment once, or gives the one that is under way. Gives where the customer goes. */
function pay(string $invoice, array $form): string
{
    $amount = cents($form['amount'] ?? null);
    $n = with_invoice($invoice, function (&$all) use ($amount, $form) {
        $last = end($all['payments']);
        $may_pay = !$last || $last['state'] === 'declined' || (MISTAKE === 'double-click' && in_array($last['state'], WAITING));
        if (!$may_pay || !$amount) {
            return null;
        }
        $n = count($all['payments']);
        $client_id = 'inv-' . shorten($all['invoice'], 100) . "-a{$n}x";
        $all['payments'][] = [
            'client_id' => $client_id, 'cents' => $amount, 'currency' => $form['currency'] ?? 'EUR', 'state' => 'sending',
            'order_id' => null, 'form' => null, 'kept' => 0, 'charged_back' => false, 'sent_at' => now(), 'not_found' => 0,
            'ask_at' => now() + 60, // in case that this process dies before it has the reply
        ];
        file_put_contents(path('clients', $client_id), json_encode([$all['invoice'], $n]));
        return $n;
    });
    if ($n === null) {
        return go_on($invoice, array_key_last(read_invoice($invoice)['payments']));
    }
    ['client_id' => $client_id, 'currency' => $currency] = read_invoice($invoice)['payments'][$n];
    $reply = send_payment($client_id, $invoice, $amount, $currency, $form);
    if ($reply === null && MISTAKE === 'new-id-on-retry') {
        $client_id .= 'b';
        file_put_contents(path('clients', $client_id), json_encode([$invoice, $n]));
        change_payment($invoice, $n, function (&$paid) use ($client_id) { $paid['client_id'] = $client_id; });
        $reply = send_payment($client_id, $invoice, $amount, $currency, $form);
    }
    change_payment($invoice, $n, function (&$paid) use ($reply) {
        $paid['ask_at'] = now();
        if ($paid['state'] === 'sending') {
            $paid['state'] = ($reply['type'] ?? '') === 'validation-error' ? 'declined' : 'pending';
            $paid['order_id'] ??= $reply['paynet-order-id'] ?? null;
            $paid['form'] = $reply['redirect-url'] ?? null;
        }
    });
    return go_on($invoice, $n);
}

function send_payment(string $client_id, string $invoice, int $amount, string $currency, array $form): ?array
{
    [$first_name, $last_name] = explode(' ', $form['name'] ?? 'Jo Smith', 2) + ['', ''];
    $with_card = isset($form['card_number']);
    return ask($with_card ? 'sale' : 'sale-form', [
        'client_orderid' => $client_id,
        'order_desc' => $form['description'] ?? "Invoice $invoice",
        'first_name' => shorten($first_name, 50),
        'last_name' => shorten($last_name ?: $first_name, 50),
        'address1' => 'Main st 1',
        'city' => 'Berlin',
        'zip_code' => '10115',
        'country' => 'DE',
        'phone' => '+49301234567',
        'email' => EMAIL,
        'amount' => major($amount),
        'currency' => $currency,
        'ipaddress' => '127.0.0.1',
        'redirect_url' => SHOP_URL . '/payments/return',
        'notify_url' => SHOP_URL . '/payments/callback',
        'control' => sha1(ENDPOINT . $client_id . $amount . EMAIL . KEY),
    ] + ($with_card ? [
        'credit_card_number' => $form['card_number'],
        'expire_month' => $form['expire_month'],
        'expire_year' => $form['expire_year'],
        'cvv2' => $form['cvv'],
        'card_printed_name' => $form['holder'],
    ] : []));
}

/** Waits a while for the reply to whoever pressed first, and for what the gateway wants of the customer. */
function go_on(string $invoice, ?int $n): string
{
    $shown = '/invoices/' . rawurlencode($invoice);
    for ($tries = 0; $n !== null && $tries < 50; $tries++) {
        $paid = read_invoice($invoice)['payments'][$n];
        if ($paid['state'] === 'pending' && $paid['form'] !== null) {
            return $paid['form'];
        }
        if (!in_array($paid['state'], WAITING) || ($paid['state'] === 'pending' && $tries > 25)) {
            return $shown;
        }
        usleep(100_000);
    }
    return $shown;
}

/** Asks what became of a payment. Only this changes anything: callbacks and browsers are hints. */
function confirm(string $invoice, int $n): void
{
    ['payments' => [$n => $paid], 'refunds' => $refunds] = read_invoice($invoice);
    $serial = $refunds[$n]['serial'] ?? null;
    $status = ask('status', [
        'login' => LOGIN,
        'client_orderid' => $paid['client_id'],
        'orderid' => $paid['order_id'] ?? '',
        'control' => sha1(LOGIN . $paid['client_id'] . $paid['order_id'] . KEY),
    ] + ($serial === null ? [] : ['by-request-sn' => $serial]));
    change_payment($invoice, $n, function (&$paid, &$all) use ($n, $status) {
        ask_again($paid, isset($all['refunds'][$n]), $status);
        if (($status['type'] ?? '') !== 'status-response' || ($status['merchant-order-id'] ?? '') !== $paid['client_id']) {
            return;
        }
        $paid['order_id'] ??= $status['paynet-order-id'];
        if ($paid['order_id'] !== $status['paynet-order-id']) {
            return;
        }
        $paid['form'] = $status['redirect-to'] ?? $paid['form'];
        $became = $status['status'] ?? 'processing';
        $is_money = cents($status['initial-amount'] ?? $status['amount'] ?? null) === $paid['cents']
            && ($status['currency'] ?? '') === $paid['currency'];
        if (!$is_money) {
            $paid['state'] = $paid['state'] === 'pending' ? 'review' : $paid['state'];
        } elseif (($status['transaction-type'] ?? 'sale') !== 'sale') {
            later($paid, $all['refunds'], $n, $status);
        } elseif ($became === 'approved') {
            approve($paid, $all);
        } elseif (in_array($became, OVER) && in_array($paid['state'], WAITING)) {
            $paid = ['state' => 'declined', 'ask_at' => null] + $paid;
        }
    });
}

function approve(array &$paid, array &$all): void
{
    if ($paid['state'] === 'paid') {
        return;
    }
    $is_other = fn($one) => MISTAKE === 'double-click' ? $one['state'] === 'paid' : $one['state'] !== 'declined';
    $others = array_filter($all['payments'], fn($one) => $one['client_id'] !== $paid['client_id'] && $is_other($one));
    $paid = ['state' => $others && MISTAKE !== 'double-click' ? 'review' : 'paid', 'kept' => $paid['cents'], 'ask_at' => null] + $paid;
    $all['delivered'] += $others ? 0 : 1;
}

/** A refund, here or elsewhere, or a chargeback: what is kept is what the gateway says. */
function later(array &$paid, array &$refunds, int $n, array $status): void
{
    $kept = cents($status['amount'] ?? null);
    $became = $status['status'] ?? '';
    $before = $paid['kept'];
    if ($became === 'approved' && $kept !== null && $kept < $paid['cents']) {
        $charged_back = $paid['charged_back'] || $status['transaction-type'] === 'chargeback';
        $paid = ['state' => 'paid', 'kept' => $kept, 'charged_back' => $charged_back] + $paid;
    }
    if (!isset($refunds[$n])) {
        return;
    }
    ['serial' => $serial, 'cents' => $amount] = $refunds[$n];
    if ($serial === null ? $kept === $before - $amount : in_array($became, ['approved', ...OVER])) {
        unset($refunds[$n]);
        $paid['ask_at'] = $serial === null ? null : now();
    }
}

/** Every 3 s for five minutes, every five minutes for an hour, then hourly for 30 days. It never arrived after 20 minutes and three answers. */
function ask_again(array &$paid, bool $is_refunding, ?array $status): void
{
    $age = now() - $paid['sent_at'];
    $waiting = in_array($paid['state'], WAITING);
    $wait = $age < 300 ? 3 : ($age < 3600 ? 300 : 3600);
    $paid['ask_at'] = ($waiting || $is_refunding) && $age < 30 * 86400 ? now() + $wait : null;
    if ($status !== null && $status['type'] !== 'status-response' && $paid['order_id'] === null && ++$paid['not_found'] > 3) {
        $paid = ($age > 1200 && $paid['state'] === 'pending' ? ['state' => 'declined', 'ask_at' => null] : []) + $paid;
    }
}

/** Sends a refund once; what becomes of it is asked. */
function refund(string $invoice, ?string $asked): string
{
    $n = array_key_last(read_invoice($invoice)['payments']);
    if ($n === null) {
        return 'not paid';
    }
    $made = change_payment($invoice, $n, function (&$paid, &$all) use ($n, $asked) {
        $amount = $asked === null || $asked === '' ? $paid['kept'] : cents($asked);
        if ($paid['state'] !== 'paid' || !$amount || $amount > $paid['kept']) {
            return $paid['state'] === 'paid' ? 'more than was paid' : 'not paid';
        }
        if (isset($all['refunds'][$n])) {
            return 'a refund is under way';
        }
        $all['refunds'][$n] = ['cents' => $amount, 'serial' => null];
        return ['amount' => $amount] + $paid;
    });
    if (is_string($made)) {
        return $made;
    }
    ['client_id' => $client_id, 'order_id' => $order_id, 'amount' => $amount, 'currency' => $currency] = $made;
    $reply = ask('return', [
        'login' => LOGIN,
        'client_orderid' => $client_id,
        'orderid' => $order_id,
        'amount' => major($amount),
        'currency' => $currency,
        'comment' => 'Refund',
        'control' => sha1(LOGIN . $client_id . $order_id . $amount . $currency . KEY),
    ]);
    $type = $reply['type'] ?? '';
    return change_payment($invoice, $n, function (&$paid, &$all) use ($n, $type, $reply) {
        $paid['ask_at'] = $paid['sent_at'] = now();
        if ($type === 'validation-error') {
            unset($all['refunds'][$n]);
            return 'refused';
        }
        if ($type === 'async-response' && isset($all['refunds'][$n])) {
            $all['refunds'][$n]['serial'] = $reply['serial-number'] ?? null;
        }
        return 'under way';
    });
}
