import type { DatabaseSync } from 'node:sqlite'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import type { PaymentClient } from '@tallystick/client'
import type { Journal } from '@tallystick/journal'
import { InjectPaymentClient, InjectPaymentJournal } from '@tallystick/nest-module'
import { type Addresses, recordNeverSent, type ShopDatabase, type Till } from '@tallystick/shop-kit'
import { type Setup, SHOP_SETUP } from '../setup.module.ts'
import { ShopAddresses } from './shop-addresses.ts'

/** What the shop needs to take and refund payments. */
@Injectable()
export class ShopTill implements Till, OnModuleInit {
  readonly client: PaymentClient
  readonly journal: Journal<DatabaseSync>
  readonly database: ShopDatabase
  readonly addresses: Addresses

  constructor(
    @InjectPaymentClient() client: PaymentClient,
    @InjectPaymentJournal() journal: Journal<DatabaseSync>,
    @Inject(SHOP_SETUP) { database }: Setup,
    @Inject(ShopAddresses) addresses: ShopAddresses,
  ) {
    this.client = client
    this.journal = journal
    this.database = database
    this.addresses = addresses
  }

  now(): number {
    return Date.now()
  }

  /** Runs before the journal starts, which it does once all modules are initialised. */
  async onModuleInit(): Promise<void> {
    await recordNeverSent(this)
  }
}
