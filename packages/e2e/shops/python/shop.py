"""A shop that takes card payments by requests written by hand: on the gateway's page, or with a card form of its own.

It is right, unless the environment has MISTAKE: ../mistakes.ts says which there are.
"""
import gzip
import hashlib
import hmac
import json
import os
import re
import sqlite3
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ENV = os.environ
MISTAKE = ENV.get('MISTAKE')
LOGIN, KEY, ENDPOINT = ENV['TALLYSTICK_LOGIN'], ENV['TALLYSTICK_CONTROL_KEY'], ENV['TALLYSTICK_ENDPOINT']
SHOP_URL = ENV['SHOP_URL']
TIMEOUT = int(ENV.get('GATEWAY_TIMEOUT_MS', '10000')) / 1000
EMAIL = 'customer@example.com'
OVER = ('declined', 'filtered', 'error')
offset = 0


def now():
    return time.time() + offset


local = threading.local()


def db():
    if not hasattr(local, 'db'):
        local.db = sqlite3.connect(f"{ENV['SHOP_DATA']}/shop.db", timeout=10, isolation_level=None)
        local.db.row_factory = sqlite3.Row
    return local.db


def run(sql, *values):
    return db().execute(sql, values).rowcount


def one(sql, *values):
    return db().execute(sql, values).fetchone()


def payment(client_id):
    return one('select * from payments where client_id = ?', client_id)


def last_of(invoice):
    return one('select * from payments where invoice = ? order by rowid desc', invoice)


def set_up():
    db().executescript("""
        pragma journal_mode = wal;
        create table if not exists payments (client_id text primary key, invoice text, cents integer, currency text, state text,
            order_id text, form text, kept integer default 0, charged_back integer default 0, sent_at real,
            not_found integer default 0, ask_at real);
        create unique index if not exists one_at_a_time on payments (invoice)
            where state in ('sending', 'pending', 'paid', 'review');
        create table if not exists refunds (id integer primary key, client_id text, cents integer, serial text, state text);
        create unique index if not exists one_refund_at_a_time on refunds (client_id) where state = 'sending';
        create table if not exists deliveries (invoice text);
        create table if not exists callbacks (client_id text);
        update payments set state = 'pending', ask_at = 0 where state = 'sending';
    """)


def cents(amount):
    """Minor units of an amount such as 10.5, by its digits. The interface counts two decimals in any currency."""
    found = re.fullmatch(r'(\d{1,10})(?:\.(\d{1,2})0*)?', amount or '')
    if MISTAKE == 'float-cents' and found:
        return int(float(amount) * 100)
    return int(found[1] + (found[2] or '').ljust(2, '0')) if found else None


def major(minor):
    return f'{minor // 100}.{minor % 100:02d}'


def sha1(*parts):
    return hashlib.sha1(''.join(str(part) for part in parts).encode()).hexdigest()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def ask(operation, fields):
    """The reply's fields, or None if nobody can know what became of the request."""
    body = urllib.parse.urlencode(fields).encode()
    if MISTAKE == 'card-in-log':
        print(operation, fields, flush=True)
    url = f"{ENV['TALLYSTICK_BASE_URL']}/api/v2/{operation}/{ENDPOINT}"
    form = '*/*' if MISTAKE == 'classic-untrimmed' else 'application/vnd.pay+json'
    request = urllib.request.Request(url, body, {'Accept': form})
    try:
        try:
            reply = opener.open(request, timeout=TIMEOUT)
        except urllib.error.HTTPError as error:
            reply = error
        read = reply.read()
        if reply.headers.get('Content-Encoding') == 'gzip':
            read = gzip.decompress(read)
        return fields_in(read.decode())
    except Exception as error:  # refused, cut, late, or no text: it may have arrived
        print(operation, type(error).__name__, flush=True)
        if MISTAKE == 'refund-retried' and operation == 'return':
            time.sleep(1)
            return ask(operation, fields)
        return None


def fields_in(text):
    if text.startswith('{'):
        read = {name: str(value) for name, value in json.loads(text).items()}
    elif MISTAKE == 'classic-untrimmed':
        read = dict(urllib.parse.parse_qsl(text))
    else:
        read = {name: value.strip() for name, value in urllib.parse.parse_qsl(text)}
    return read if 'type' in read else None


def pay(invoice, form):
    """Sends a payment once, or gives the one that is under way. Gives where the customer goes."""
    last = last_of(invoice)
    if last and last['state'] != 'declined':
        return go_on(last)
    amount = cents(form.get('amount'))
    if not amount:
        raise ValueError('the amount must be a number such as 10.42')
    attempt = one('select count(*) from payments where invoice = ?', invoice)[0] + 1
    first_name, _, last_name = form.get('name', 'Jo Smith').partition(' ')
    client_id = f'inv-{invoice[:100]}-a{attempt}x'
    currency = form.get('currency', 'EUR')
    made = run(
        "insert or ignore into payments (client_id, invoice, cents, currency, state, sent_at) values (?, ?, ?, ?, 'sending', ?)",
        client_id, invoice, amount, currency, now(),
    )
    if made == 0:
        return go_on(last_of(invoice))
    fields = {
        'client_orderid': client_id,
        'order_desc': form.get('description', f'Invoice {invoice}'),
        'first_name': first_name[:50],
        'last_name': (last_name or first_name)[:50],
        'address1': 'Main st 1',
        'city': 'Berlin',
        'zip_code': '10115',
        'country': 'DE',
        'phone': '+49301234567',
        'email': EMAIL,
        'amount': form['amount'],
        'currency': currency,
        'ipaddress': '127.0.0.1',
        'redirect_url': f'{SHOP_URL}/payments/return',
        'notify_url': f'{SHOP_URL}/payments/callback',
        'control': sha1(ENDPOINT, client_id, amount, EMAIL, KEY),
    }
    if 'card_number' in form:
        fields |= {
            'credit_card_number': form['card_number'],
            'expire_month': form['expire_month'],
            'expire_year': form['expire_year'],
            'cvv2': form['cvv'],
            'card_printed_name': form['holder'],
        }
    reply = ask('sale' if 'card_number' in form else 'sale-form', fields) or {}
    state = 'declined' if reply.get('type') == 'validation-error' else 'pending'
    run(
        "update payments set state = ?, order_id = ?, form = ?, ask_at = ? where client_id = ? and state = 'sending'",
        state, reply.get('paynet-order-id'), reply.get('redirect-url'), now() + 1, client_id,
    )
    return go_on(payment(client_id))


def go_on(paid):
    """Waits a while for the reply to whoever pressed first, and for what the gateway wants of the customer."""
    shown = f"/invoices/{urllib.parse.quote(paid['invoice'], safe='')}"
    for tries in range(50):
        seen = payment(paid['client_id'])
        if seen['state'] == 'pending' and seen['form']:
            return seen['form']
        if seen['state'] not in ('sending', 'pending') or (seen['state'] == 'pending' and tries > 25):
            return shown
        time.sleep(0.1)
    return shown


def confirm(client_id):
    """Asks what became of a payment. Only this changes anything: callbacks and browsers are hints."""
    paid = payment(client_id)
    order_id = paid['order_id'] or ''
    refund = one("select * from refunds where client_id = ? and state = 'sending'", client_id)
    fields = {'login': LOGIN, 'client_orderid': client_id, 'orderid': order_id}
    if refund and refund['serial']:
        fields['by-request-sn'] = refund['serial']
    status = ask('status', fields | {'control': sha1(LOGIN, client_id, order_id, KEY)})
    ask_again(paid, status)
    if not status or status['type'] != 'status-response' or status.get('merchant-order-id') != client_id:
        return
    if not order_id:
        run('update payments set order_id = ? where client_id = ?', status.get('paynet-order-id'), client_id)
    elif status.get('paynet-order-id') != order_id:
        return
    if 'redirect-to' in status:
        run('update payments set form = ? where client_id = ?', status['redirect-to'], client_id)
    became = status.get('status', 'processing')
    if cents(status.get('initial-amount', status.get('amount'))) != paid['cents'] or status.get('currency') != paid['currency']:
        run("update payments set state = 'review' where client_id = ? and state = 'pending'", client_id)
    elif status.get('transaction-type', 'sale') != 'sale':
        later(paid, status, refund)
    elif became == 'approved' or (became == 'unknown' and MISTAKE == 'unknown-is-approved'):
        approve(paid)
    elif became in OVER:
        run(
            "update payments set state = 'declined', ask_at = null where client_id = ? and state in ('sending', 'pending')",
            client_id,
        )


def approve(paid):
    client_id, invoice = paid['client_id'], paid['invoice']
    db().execute('begin immediate')
    other = one("select 1 from payments where invoice = ? and client_id <> ? and state <> 'declined'", invoice, client_id)
    state = 'review' if other else 'paid'
    first = run(
        "update payments set state = ?, kept = cents, ask_at = null where client_id = ? and state <> 'paid'", state, client_id
    )
    if first and state == 'paid':
        run('insert into deliveries values (?)', invoice)
    db().execute('commit')


def later(paid, status, refund):
    """A refund, here or elsewhere, or a chargeback: what is kept is what the gateway says."""
    client_id, became, kept = paid['client_id'], status.get('status'), cents(status.get('amount'))
    db().execute('begin immediate')
    if became == 'approved' and kept is not None and kept < paid['cents']:
        run(
            "update payments set state = 'paid', kept = ?, charged_back = max(charged_back, ?) where client_id = ?",
            kept, status['transaction-type'] == 'chargeback', client_id,
        )
    if refund:
        serial = refund['serial']
        done = became == 'approved' if serial else kept == paid['kept'] - refund['cents']
        if done or (serial and became in OVER):
            run('update refunds set state = ? where id = ?', 'done' if done else 'declined', refund['id'])
            run('update payments set ask_at = ? where client_id = ?', now() if serial else None, client_id)
    db().execute('commit')


def ask_again(paid, status):
    """Every 3 s for five minutes, every five minutes for an hour, then hourly for 30 days. It never arrived after 20 minutes and three answers."""
    client_id, age = paid['client_id'], now() - paid['sent_at']
    waiting = paid['state'] in ('sending', 'pending')
    refunding = one("select 1 from refunds where client_id = ? and state = 'sending'", client_id)
    wait = 3 if age < 300 else 300 if age < 3600 else 3600
    due = (waiting or refunding) and age < 30 * 86400
    run('update payments set ask_at = ? where client_id = ?', now() + wait if due else None, client_id)
    if status and status['type'] != 'status-response' and not paid['order_id']:
        run('update payments set not_found = not_found + 1 where client_id = ?', client_id)
        if age > 1200 and paid['not_found'] >= 3:
            run("update payments set state = 'declined', ask_at = null where client_id = ? and state = 'pending'", client_id)


def refund(invoice, asked):
    """Sends a refund once; what becomes of it is asked."""
    paid = last_of(invoice)
    if not paid or paid['state'] != 'paid':
        return 'not paid'
    amount = cents(asked) if asked else paid['kept']
    if not amount or amount > paid['kept']:
        return 'more than was paid'
    client_id, order_id, currency = paid['client_id'], paid['order_id'], paid['currency']
    if run("insert or ignore into refunds (client_id, cents, state) values (?, ?, 'sending')", client_id, amount) == 0:
        return 'a refund is under way'
    fields = {
        'login': LOGIN,
        'client_orderid': client_id,
        'orderid': order_id,
        'amount': major(amount),
        'currency': currency,
        'comment': 'Refund',
        'control': sha1(LOGIN, client_id, order_id, amount, currency, KEY),
    }
    reply = ask('return', fields) or {}
    state = 'declined' if reply.get('type') == 'validation-error' else 'sending'
    serial = reply.get('serial-number') if reply.get('type') == 'async-response' else None
    run("update refunds set state = ?, serial = ? where client_id = ? and state = 'sending'", state, serial, client_id)
    run('update payments set ask_at = ?1, sent_at = ?1 where client_id = ?2', now(), client_id)
    return 'refused' if state == 'declined' else 'under way'


def callback(fields):
    """Stored before it is answered."""
    client_id = fields.get('client_orderid') or fields.get('merchant_order', '')
    order_id, status = fields.get('orderid', ''), fields.get('status', '')
    paid = payment(client_id)
    right = sha1(status, order_id, client_id, KEY)
    if MISTAKE != 'callback-without-control' and not hmac.compare_digest(fields.get('control', '').encode(), right.encode()):
        return 403
    if not paid or paid['order_id'] not in (None, order_id):
        return 200
    is_sale = status == 'approved' and fields.get('type') == 'sale'
    is_price = cents(fields.get('amount')) == paid['cents'] and fields.get('currency') == paid['currency']
    if MISTAKE == 'callback-without-control' and is_sale and is_price:
        approve(paid)
    if MISTAKE == 'handler-twice' and is_sale:
        if one('select 1 from callbacks where client_id = ?', client_id):
            run('insert into deliveries values (?)', paid['invoice'])
        run('insert into callbacks values (?)', client_id)
    run('update payments set ask_at = min(coalesce(ask_at, ?1), ?1) where client_id = ?2', now(), client_id)
    return 200


def shown(invoice):
    paid = last_of(invoice)
    delivered = one('select count(*) from deliveries where invoice = ?', invoice)[0]
    taken_back = paid['cents'] - paid['kept'] if paid and paid['state'] == 'paid' else 0
    return {'invoice': invoice, 'state': state_of(paid), 'takenBack': major(taken_back), 'delivered': delivered}


def state_of(paid):
    if not paid:
        return 'open'
    if paid['state'] != 'paid':
        return 'declined' if paid['state'] == 'declined' else 'pending'
    if paid['charged_back']:
        return 'charged back'
    return 'paid' if paid['kept'] else 'refunded'


asking = threading.Lock()


def ask_what_is_due():
    with asking:
        when = '1' if MISTAKE == 'polled-without-end' else 'ask_at <= ?1'
        due = db().execute(f'select client_id, ?1 from payments where {when}', (now(),)).fetchall()
        threads = [threading.Thread(target=confirm, args=(row['client_id'],)) for row in due]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def keep_asking():
    while True:
        ask_what_is_due()
        time.sleep(1 if MISTAKE == 'polled-without-end' else 0.2)


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        global offset
        url = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0)).decode()
        fields = dict(urllib.parse.parse_qsl(f'{url.query}&{body}'))
        first, second, third = (urllib.parse.unquote(url.path).split('/') + ['', ''])[1:4]
        try:
            if (first, second) == ('payments', 'callback'):
                self.reply(callback(fields), 'OK')
            elif (first, second) == ('payments', 'return'):
                paid = payment(fields.get('client_orderid', ''))
                self.see_other(f"/invoices/{urllib.parse.quote(paid['invoice'], safe='')}" if paid else '/')
            elif first == 'clock':
                offset += float(fields['advance'])
                ask_what_is_due()
                self.reply(200, 'OK')
            elif (first, third) == ('invoices', 'pay'):
                self.see_other(pay(second, fields))
            elif (first, third) == ('invoices', 'refund'):
                self.reply(200, json.dumps({'refund': refund(second, fields.get('amount'))}))
            elif first == 'invoices':
                self.reply(200, json.dumps(shown(second)))
            else:
                self.reply(404 if first else 200, '{}')
        except ValueError as error:
            self.reply(400, str(error))

    do_POST = do_GET

    def see_other(self, location):
        self.send_response(303)
        self.send_header('Location', location)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def reply(self, status, text):
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1000


set_up()
threading.Thread(target=keep_asking, daemon=True).start()
Server(('127.0.0.1', int(ENV['PORT'])), Shop).serve_forever()
