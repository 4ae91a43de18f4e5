import type { HelpPart } from '../../help.ts'

export const SHOP_HELP: readonly HelpPart[] = [
  'tallystick certify shop: tries a shop, written in whatever, against everything that goes wrong',
  {
    heading: 'Usage',
    commands: [
      'tallystick certify shop',
      'tallystick certify shop shop.json --only callbacks',
      'tallystick certify shop --list',
    ],
  },
  'It plays the gateway and the customer, and judges the shop from outside. The file says how the shop is reached; default: ' +
    'tallystick-shop.json in this folder. Without one, it asks. The shop has to be set up with the address and the keys that are ' +
    'printed first; with "start" in the file it is started with them. The exit code is 0 if the shop is wrong in nothing, and 1 ' +
    'if it is.',
  {
    heading: 'A file',
    commands: [
      '{ "start": "php -S 127.0.0.1:8080 shop.php",',
      '  "begin": "POST http://127.0.0.1:8080/invoices/{order}/pay",',
      '  "outcome": { "request": "GET http://127.0.0.1:8080/invoices/{order}",',
      '    "paid": "is paid", "notPaid": "was declined", "pending": "not yet" } }',
    ],
  },
  {
    heading: 'Fields of the file',
    rows: [
      ['begin', 'begins the payment of an order: "POST URL", or { "request", "headers", "body" } with placeholders'],
      [
        'outcome',
        'what became of it: { "request", "paid", "notPaid", "pending" }, each of the three a regular expression, or ' +
          '{ "path": "status", "is": "paid" } in JSON; "takenBack": where the amount stands that was refunded and charged back',
      ],
      ['create', 'makes an order, before begin'],
      ['refund, capture, cancel', 'requests with {order} and {amount}'],
      [
        'effects',
        'how often the goods of {order} were delivered: { "request" or "file", and "path" to a number or a list, or "pattern" }',
      ],
      [
        'order',
        '{ "like": "A{number}" }: what we call an order; { "found": "order (\\\\w+)" }: where the shop says it',
      ],
      ['start', 'a command that runs the shop until it is killed'],
      ['restart, kill', 'commands, if it runs elsewhere: kills it at once and runs it again'],
      ['clock', "moves the shop's time ahead by {seconds}"],
      ['log', 'files to which the shop logs, in which no card number may be'],
      ['patience', 'seconds in which the shop learns an outcome; default 90'],
      ['quiet', 'seconds in which a mistake shows; default 2'],
    ],
  },
  {
    heading: 'Placeholders',
    rows: [
      ['{order} {amount} {cents}', 'amount: 10.42; cents: 1042'],
      ['{currency} {description} {name}', 'EUR, a text, a name'],
      [
        '{cardNumber} {cvv2} …',
        'for a shop that takes the card itself; also {expireMonth} {expireYear} {cardPrintedName}',
      ],
    ],
  },
  {
    heading: 'Options',
    rows: [
      [
        '--list',
        'shows the scenarios, a line each: "waits" if it waits in real time for a timer of the shop, or for its start',
      ],
      ['--only TEXT', 'only scenarios with this text in their id, or of this group; several with commas'],
      ['--port PORT', 'of the sandbox that the shop takes for its gateway; default 9464'],
      ['--login LOGIN', 'default certify'],
      ['--endpoint ID', 'default 1'],
      ['--key-file FILE', 'the control key; default: the variable TALLYSTICK_CONTROL_KEY, or one that is printed'],
      ['--concurrency COUNT', 'how many scenarios run beside each other; default 8'],
      ['--json', 'prints a JSON object for each scenario, on a line of its own'],
      ['--junit FILE', 'writes a report for CI as well'],
      [
        '--recording FILE',
        'writes what happened in the gateway: as a page, FILE.html, which the report leads into, or FILE.ndjson',
      ],
    ],
  },
]
