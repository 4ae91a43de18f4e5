-- Tables of @tallystick/journal. Run it in one transaction.

begin;

create table if not exists "journal_version" ("version" integer primary key, "name" text not null, "works_with" integer not null, "made_at" bigint not null);

create or replace function "journal_tables_were_made"() returns text language sql immutable as
  'select ''the tables of @tallystick/journal were made in this schema: if they are gone, it stops''';

create table "journal_intents" ("intent_id" text not null primary key, "business_key" text not null, "attempt" integer not null, "operation" text not null, "kind" text not null, "client_order_id" text not null, "order_id" text, "endpoint_id" text, "endpoint_group_id" text, "amounts" text not null, "currency" text, "digest" text not null, "input" text, "state" text not null, "version" integer not null, "created_at" bigint not null, "sent_at" bigint, "deadline_ms" integer not null, "sends" integer not null, "lease_until" bigint, "lease_owner" text, "next_check_at" bigint, "watch_at" bigint, "looked_at" bigint, "woken_at" bigint, "absences" integer not null, "first_absence_at" bigint, "rejection" text, "is_paid_before" integer, "order_before" text, "observed" text, "serial_number" text, "redirect_url" text, "reference" text, "status" text, "review_reason" text, "holds_key" integer not null, "holds_order" integer not null, "evidence" text not null, constraint "journal_intents_attempt" unique ("business_key", "attempt"));

create unique index "journal_intents_active" on "journal_intents" ("business_key") where holds_key = 1;

create unique index "journal_intents_order" on "journal_intents" ("order_id") where holds_order = 1;

create unique index "journal_intents_opening" on "journal_intents" ("client_order_id") where kind = 'opening';

create index "journal_intents_of_order" on "journal_intents" ("client_order_id");

create index "journal_intents_due" on "journal_intents" ("next_check_at") where next_check_at is not null;

create index "journal_intents_watched" on "journal_intents" ("watch_at") where watch_at is not null;

create index "journal_intents_reference" on "journal_intents" ("reference") where reference is not null;

create index "journal_intents_known" on "journal_intents" ("endpoint_id", "endpoint_group_id", "looked_at") where order_id is not null and observed is not null;

create index "journal_intents_again" on "journal_intents" ("business_key") where attempt > 1;

create index "journal_intents_state" on "journal_intents" ("state", "created_at");

create table "journal_outcomes" ("client_order_id" text not null, "number" integer not null, "outcome" text not null, "failures" integer not null, "due_at" bigint not null, "handled_at" bigint, constraint "journal_outcomes_key" primary key ("client_order_id", "number"));

create index "journal_outcomes_open" on "journal_outcomes" ("client_order_id", "number") where handled_at is null;

create index "journal_outcomes_due" on "journal_outcomes" ("due_at", "client_order_id") where handled_at is null;

create table "journal_orphan_orders" ("client_order_id" text not null, "order_id" text not null, "status" text not null, "type" text, "amount" text, "currency" text, "received_at" bigint not null, "woken_at" bigint not null, "callbacks" integer not null, "next_check_at" bigint, "watch_at" bigint, "lease_until" bigint, "told" text, "told_at" bigint, constraint "journal_orphan_orders_key" primary key ("client_order_id", "order_id"));

create index "journal_orphan_orders_due" on "journal_orphan_orders" ("next_check_at") where next_check_at is not null;

create index "journal_orphan_orders_watched" on "journal_orphan_orders" ("watch_at") where watch_at is not null;

create index "journal_orphan_orders_open" on "journal_orphan_orders" ("received_at") where told_at is null;

create index "journal_orphan_orders_told" on "journal_orphan_orders" ("told_at") where told_at is not null;

create table "journal_gateway_answers" ("endpoint_id" text not null, "endpoint_group_id" text not null, "at" bigint not null, constraint "journal_gateway_answers_key" primary key ("endpoint_id", "endpoint_group_id"));

insert into "journal_version" ("version", "name", "works_with", "made_at") values (1, 'first', 1, (extract(epoch from clock_timestamp()) * 1000)::bigint);

commit;
