/** The shop's own tables. They share the file with those of the journal, which have other names. */
export const SCHEMA = `
create table if not exists shop_orders (
  id text primary key,
  name text not null,
  amount integer not null check (amount > 0),
  currency text not null,
  created_at integer not null,
  client_order_id text unique,
  order_id text,
  pay_url text,
  card_ref_id text
) strict;
create table if not exists shop_operations (
  name text primary key,
  shop_order text not null references shop_orders (id),
  kind text not null,
  amount integer not null,
  status text not null,
  created_at integer not null,
  status_at integer not null,
  note text
) strict;
create index if not exists shop_operations_of on shop_operations (shop_order);
create table if not exists shop_ledger (
  key text primary key,
  business_key text not null,
  operation text not null,
  status text not null,
  amount integer,
  currency text,
  at integer not null
) strict;
`
