import { useMutation, useQueryClient } from '@tanstack/react-query'
import { fileIntakeMail, getIntakeMail, isOpenMail, type IntakeMail } from '@waybill/contract/intake/intake'
import type { ChangeValue, DraftChange } from '@waybill/contract/order/intake/mail-draft'
import type { Order } from '@waybill/contract/order/order'
import { useState } from 'react'
import { callApi } from '../../../../kit/api/call-api.ts'
import { newKey } from '../../../../kit/form/state/values.ts'

/** A value that the order's form takes over, or a stop, a line or an extra that comes to it. */
export type TakenChange = { path: string; value: ChangeValue } & Partial<Pick<DraftChange, 'stop' | 'line' | 'extra'>>

/** What a person has chosen of a mail that changes an order, on the way to the order's form. */
export interface MailChanges {
  orderId: number
  /** as the order was when the mail was compared with it */
  version: number
  mail: Pick<IntakeMail, 'id' | 'subject'>
  /** which draft of the mail; null: the mail as a whole */
  position: number | null
  /** paths of the order's form */
  changes: readonly TakenChange[]
}

// The form finds them by the name in its address: who opens the order later in another way takes nothing over.
let waiting: { name: string; given: MailChanges } | null = null

/** Keeps changes for the order's form; their name goes into its address. */
export function keepForForm(given: MailChanges): string {
  const name = newKey()
  waiting = { name, given }
  return name
}

/** Changes from a mail in an order's form: the mail is filed with the order once they are saved. */
export function useMailChanges({ id, version }: Pick<Order, 'id' | 'version'>, name: unknown) {
  const client = useQueryClient()
  const [given] = useState(() =>
    waiting !== null && waiting.name === name && waiting.given.orderId === id ? waiting.given : null,
  )
  const [isOutdated] = useState(given !== null && given.version !== version)
  const filing = useMutation({
    mutationFn: async ({ mail: { id: mailId }, position, orderId }: MailChanges) => {
      const mail = await callApi(getIntakeMail, { params: { id: mailId } })
      if (!isOpenMail(mail.state) || mail.orders.some((one) => one.id === orderId)) return mail
      const call = { params: { id: mailId }, version: mail.version, body: { orderId, position } }
      return callApi(fileIntakeMail, call)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['intake-mails'] }),
  })
  return {
    given,
    /** the order was saved since the mail was compared with it: nothing is taken over */
    isOutdated,
    filing,
    /** called after each save: the first one settles the mail */
    fileOnce: () => {
      if (given !== null && !isOutdated && filing.isIdle) filing.mutate(given)
    },
  }
}
