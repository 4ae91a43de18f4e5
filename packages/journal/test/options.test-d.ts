import type { Clock } from '@tallystick/client'
import { expectTypeOf, test } from 'vitest'
import type { JournalOptions } from '../src/index.ts'

test('what a shop hands on may be left out as undefined, too, where a compiler tells the two apart', () => {
  type HandedOn = Pick<JournalOptions<unknown>, 'client' | 'store'> & { readonly clock: Clock | undefined }
  expectTypeOf<HandedOn>().toExtend<JournalOptions<unknown>>()
  type Optional = Omit<JournalOptions<unknown>, 'client' | 'store'>
  expectTypeOf<{ readonly [Name in keyof Optional]: undefined }>().toExtend<Optional>()
})
