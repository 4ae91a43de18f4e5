<?php
// The routes: PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:3000 shop.php

require __DIR__ . '/payments.php';

/** Stored before it is answered. */
function callback(array $fields): int
{
    $client_id = $fields['client_orderid'] ?? $fields['merchant_order'] ?? '';
    $order_id = $fields['orderid'] ?? '';
    $status = $fields['status'] ?? '';
    $right = sha1($status . $order_id . $client_id . KEY);
    $control = $fields['control'] ?? '';
    $is_right = MISTAKE === 'control-compared-loosely' ? $control == $right : is_string($control) && hash_equals($right, $control);
    if (!$is_right) {
        return 403;
    }
    $found = find_payment($client_id);
    if ($found === null) {
        return 200;
    }
    [$invoice, $n] = $found;
    $type = $fields['type'] ?? '';
    if (MISTAKE === 'repeated-callback-refused' && !@mkdir(path('callbacks', "$status $type $order_id") . '.seen')) {
        return 400;
    }
    $answer = change_payment($invoice, $n, function (&$paid, &$all) use ($order_id, $status, $type, $fields) {
        if ($paid['order_id'] !== null && $paid['order_id'] !== $order_id) {
            return 200;
        }
        $is_amount = MISTAKE === 'amount-unchecked' || cents($fields['amount'] ?? null) === $paid['cents'];
        $is_sale = $status === 'approved' && $type === 'sale' && $is_amount && ($fields['currency'] ?? '') === $paid['currency'];
        if ($is_sale && in_array(MISTAKE, ['control-compared-loosely', 'amount-unchecked'])) {
            approve($paid, $all);
        }
        $paid['ask_at'] = min($paid['ask_at'] ?? now(), now());
        return 200;
    });
    if (MISTAKE === 'never-polled') {
        confirm($invoice, $n);
    }
    return $answer;
}

function came_back(array $fields): never
{
    $found = find_payment($fields['client_orderid'] ?? '');
    if (MISTAKE === 'session-lost') {
        if (!isset($_SESSION['invoice'])) {
            answer(400, ['error' => 'Your session has expired. Please begin again.']);
        }
        see_other('/invoices/' . rawurlencode($_SESSION['invoice']));
    }
    if ($found === null) {
        see_other('/');
    }
    [$invoice, $n] = $found;
    change_payment($invoice, $n, function (&$paid, &$all) use ($fields) {
        if (MISTAKE === 'return-counts-as-paid' && ($fields['status'] ?? '') === 'approved') {
            approve($paid, $all);
        }
        $paid['ask_at'] = $paid['state'] === 'paid' ? $paid['ask_at'] : now();
    });
    see_other('/invoices/' . rawurlencode($invoice));
}

function shown(string $invoice): array
{
    ['payments' => $payments, 'delivered' => $delivered] = read_invoice($invoice);
    $paid = end($payments) ?: ['cents' => 0, 'kept' => 0, 'state' => 'open', 'charged_back' => false];
    $taken_back = $paid['state'] === 'paid' ? $paid['cents'] - $paid['kept'] : 0;
    $state = match (true) {
        in_array($paid['state'], ['open', 'declined']) => $paid['state'],
        $paid['state'] !== 'paid' => 'pending',
        $paid['charged_back'] => 'charged back',
        default => $paid['kept'] === 0 ? 'refunded' : 'paid',
    };
    return ['invoice' => $invoice, 'state' => $state, 'takenBack' => major($taken_back), 'delivered' => $delivered];
}

function see_other(string $location): never
{
    header("Location: $location", true, 303);
    exit;
}

function answer(int $status, array $body): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo json_encode($body);
    exit;
}

[, $first, $second, $third] = array_map('rawurldecode', explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH))) + ['', '', '', ''];
$fields = $_GET + $_POST + (json_decode(file_get_contents('php://input'), true) ?? []);
if (MISTAKE === 'session-lost') {
    session_start(['cookie_samesite' => 'Lax', 'save_path' => DATA]);
}
if ($first === 'payments' && $second === 'callback') {
    answer(callback($fields), []);
}
if ($first === 'payments' && $second === 'return') {
    came_back($fields);
}
if ($first === 'clock') {
    file_put_contents(DATA . '/clock', (float) @file_get_contents(DATA . '/clock') + (float) $fields['advance'], LOCK_EX);
    answer(200, []);
}
if ($first === 'invoices' && $third === 'pay') {
    if (cents($fields['amount'] ?? null) === null) {
        answer(400, ['error' => 'the amount must be a number such as 10.42']);
    }
    if (MISTAKE === 'session-lost') {
        $_SESSION['invoice'] = $second;
        session_write_close();
    }
    see_other(pay($second, $fields));
}
if ($first === 'invoices' && $third === 'refund') {
    answer(200, ['refund' => refund($second, $fields['amount'] ?? null)]);
}
answer($first === 'invoices' || $first === '' ? 200 : 404, $first === 'invoices' ? shown($second) : []);
