/** What `tallystick-gateway --help` shows. */
export const HELP = `tallystick-gateway: a payment gateway with the Server-to-Server interface

Usage
  tallystick-gateway --config gateway.json [options]
  tallystick-gateway --sandbox
  tallystick-gateway check --config gateway.json [options]
  tallystick-gateway orders [filters] --config gateway.json
  tallystick-gateway order ID [--login LOGIN] --config gateway.json
  tallystick-gateway callbacks --given-up [filters] --config gateway.json
  tallystick-gateway resend ID --config gateway.json
  tallystick-gateway outcome OPERATION_ID approved|declined|error \\
    --why REASON --config gateway.json
  tallystick-gateway key [FILE]
  tallystick-gateway keys FILE

Commands
  check              names each dangerous setting, and starts nothing; exit code
                     1 if there is one
  orders             lists the orders of the running gateway, the latest first
  order ID           shows an order with its history: operations, postings,
                     callbacks and what operators did; ID is the gateway's id
                     or the merchant's; exit code 1 if no order has it, or
                     several
  callbacks --given-up
                     lists callbacks that were given up or refused, the latest
                     first
  resend ID          has the running gateway send a callback again, by its id,
                     or all callbacks of an order
  outcome OPERATION_ID STATUS
                     has the running gateway record the outcome of an operation
                     whose outcome is unknown, as the acquirer reports it; run
                     it on the machine of the gateway
  key [FILE]         makes a control key of 256 bits for a merchant, or an
                     operator key, in a file that only its owner may read;
                     without FILE it is printed
  keys FILE          makes a vault key file that only its owner may read; keep a
                     copy apart from the database

Options
  --config FILE      the configuration; its JSON Schema is gateway.schema.json
                     in this package; --sandbox alone needs none, and has a
                     merchant whose keys it prints
  --port PORT        overrides the configuration's port; 0 picks any free port
  --store STORE      overrides the configuration's store: a database file
                     (relative to the configuration's folder), postgres://...,
                     or memory
  --sandbox          for tests: callbacks may go to this machine, a 403 explains
                     itself, and there is a port for tests
  --acquirer simulator
                     outside a sandbox: payments are decided by the CVV, and no
                     money moves
  --faults FAULT,... in a sandbox: every order draws one of these faults
  --fault-seed N     in a sandbox: draws the same faults as the run whose log
                     shows this seed
  --why REASON       of resend and outcome: is recorded with it
  --by NAME          of resend and outcome: who does it; default: the user of
                     this machine
  --url URL          of what goes to the running gateway: the address of its
                     metricsPort, instead of that in the configuration
  --json             of orders, order and callbacks: one JSON object a line
  --help             shows this text
  --version          shows the version of the package

Filters of orders and callbacks
  --login LOGIN      of this merchant alone
  --since, --until   when the order was made, or the callback given up: a date
                     (2030-01-31), a time (2030-01-31T06:00Z) or how long ago
                     (24h, 7d)
  --limit N          at most so many, up to 1000; default 50
  --cursor CURSOR    goes on after a line that came before: each line of --json
                     has its cursor
  --status STATUS    of orders: processing, approved, declined, filtered, error
                     or unknown
  --endpoint ID, --client-order-id ID
                     of orders

The gateway runs until SIGTERM, SIGINT or SIGHUP. It then answers the requests
that it has accepted, and ends. /healthz and /readyz are on the port of the
interface; /metrics is on a port of its own. The commands that go to the running
gateway go to that port with the operator key: the variable
TALLYSTICK_OPERATOR_KEY, or the file that the gateway makes beside its
configuration (operator.key). Exit code 2: something is wrong with the command,
or the gateway refuses it or does not answer.
`
