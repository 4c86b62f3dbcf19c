import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { getSale } from '@waybill/contract/invoice/correction'
import {
  correctInvoice,
  invoiceApi,
  moveInvoice,
  type Invoice,
  type InvoiceWrite,
} from '@waybill/contract/invoice/invoice'
import {
  allowedInvoiceMoves,
  isCorrectable,
  isReceivedInvoice,
  isSendable,
  isUndecidedInvoice,
  mayDeactivateInvoice,
  type InvoiceMove,
} from '@waybill/contract/invoice/status'
import type { State } from '@waybill/contract/kit/fields'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { ReasonWindow } from '../../kit/form/page/reason-window.tsx'
import { useStateOfRecord, type StateQuestion } from '../../kit/form/page/state-change.tsx'
import type { EntityForm } from '../../kit/form/state/entity-form.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { hasAccess } from '../../kit/session/session.ts'
import type { IconName } from '../../ui/marks/icon.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { CorrectionWindow } from './correction/correction-window.tsx'
import type { CorrectionKind } from './correction/kind-cards.tsx'
import type { InvoiceValues } from './invoice-values.ts'
import { lacksVatNumber } from './vat-number-missing.tsx'

interface Action {
  key: string
  label: string
  icon: IconName
  run: () => void
}

/** What an order's price has changed by since it was billed, net */
interface Difference {
  orderId: number
  cents: number
}

/** Whether a correction is about to be written, and how that is said. */
export type Correcting = readonly [isCorrecting: boolean, set: (isCorrecting: boolean) => void]

/** The address of a correction of one order's price, as the order's form leads to it. */
function differenceInAddress(): Difference | null {
  const [, orderId, cents] = /^#correction:(\d+):(-?\d+)$/.exec(window.location.hash) ?? []
  return orderId === undefined ? null : { orderId: Number(orderId), cents: Number(cents) }
}

const freightOf = ({ lines }: Invoice, wanted: number) =>
  lines.find(({ kind, orderId }) => kind === 'freight' && orderId === wanted)

/** The line that gives the freight of that order its new price, or adds the difference where it was split. */
async function linesWith(invoice: Invoice, difference: Difference): Promise<InvoiceWrite['lines']> {
  const freight = freightOf(invoice, difference.orderId)!
  const { billed } = await callApi(getSale, { params: { id: invoice.id } })
  const now = billed.lines.find(({ lineId }) => lineId === freight.id)!
  const { text, vatBp, vatCategory, orderId } = freight
  const line = { kind: 'freight', text, vatBp, vatCategory, orderId, routeId: null, extraId: null } as const
  const priced = { quantity: Math.sign(difference.cents), unitPriceCents: Math.abs(difference.cents) }
  if (now.quantity !== 1) return [{ ...line, ...priced }]
  const corrected = { correctedQuantity: 1, correctedUnitPriceCents: now.unitPriceCents + difference.cents }
  return [{ ...line, ...priced, correctsLineId: freight.id, ...corrected }]
}

const ICONS: Record<InvoiceMove['kind'], IconName> = { next: 'check', back: 'history', hold: 'alert', out: 'close' }

/**
 * What can be done with an invoice: the contract's moves, sending, correcting.
 * One of them is the button, the others wait in the menu.
 */
export function useInvoiceActions(
  invoice: Invoice,
  form: EntityForm<typeof invoiceApi, InvoiceValues>,
  onVatNumberMissing: (isMissing: boolean) => void,
  [isCorrecting, setCorrecting]: Correcting,
): { mark: ReactNode; main: ReactNode; others: Action[]; dialogs: ReactNode } {
  const { t } = useTranslation('invoice')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [asked, setAsked] = useState<InvoiceMove | null>(null)
  const [difference, setDifference] = useState(() => {
    const found = isCorrectable(invoice) ? differenceInAddress() : null
    return found !== null && freightOf(invoice, found.orderId) !== undefined ? found : null
  })
  const [isLedHere, setLedHere] = useState(
    () => difference !== null || (window.location.hash === '#correction' && isCorrectable(invoice)),
  )
  const stopCorrecting = () => {
    setCorrecting(false)
    setLedHere(false)
    setDifference(null)
  }
  const [isBusy, setBusy] = useState(false)
  const side = invoice.entityType
  // What is deactivated waits until it is activated again.
  const isActive = invoice.state === 'active'
  const isFree = isActive && !isUndecidedInvoice(invoice)
  const moves = isFree ? allowedInvoiceMoves(side, invoice.status) : []
  const mayMail = isFree && isSendable(side, invoice.status)
  const state = useStateOfRecord(invoiceApi, form, useStateQuestion())

  // What is typed belongs to the invoice that goes out.
  const saved = async () => form.changes().length === 0 || (await form.save()) !== null
  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      if (!(await saved())) return false
      await work()
      return true
    } catch (error) {
      stopCorrecting()
      onVatNumberMissing(lacksVatNumber(error))
      // The fields that are wrong say so themselves.
      if (form.takeRefusal(error)) return false
      notify({ tone: 'danger', title: t('notDone'), detail: errorText(error), closeLabel: t('close') })
      return false
    } finally {
      setBusy(false)
    }
  }
  const current = () => form.view!
  const move = async (to: InvoiceMove['to'], reason: string | null) => {
    const moved = await callApi(moveInvoice, {
      params: { id: invoice.id },
      body: { to, reason },
      version: current().version,
      idempotencyKey: newIdempotencyKey(),
    })
    form.accept(moved)
    onVatNumberMissing(false)
    await queries.invalidateQueries({ queryKey: ['invoices'], refetchType: 'none' })
    notify({ tone: 'ok', title: t('moved', { status: t(`invoice-list:status.${to}`) }), closeLabel: t('close') })
  }
  /** The window with the reason stays where it is refused, and says why; what the form can show stands behind it. */
  const moveFor = async (to: InvoiceMove['to'], reason: string) => {
    if (!(await saved())) return false
    try {
      await move(to, reason || null)
      return true
    } catch (error) {
      form.takeRefusal(error)
      throw error
    }
  }
  const correct = (reason: string, kind: CorrectionKind) =>
    act(async () => {
      const lines = difference !== null ? await linesWith(current(), difference) : kind === 'full' ? null : []
      const made = await callApi(correctInvoice, {
        params: { id: invoice.id },
        body: { reason, lines },
        version: current().version,
        idempotencyKey: newIdempotencyKey(),
      })
      stopCorrecting()
      void navigate({ to: `/invoices/${made.id}/edit` as string })
    })
  const ask = (one: InvoiceMove) =>
    one.needsReason || one.kind === 'out' ? setAsked(one) : void act(() => move(one.to, null))
  const goToMail = () =>
    void act(async () => {
      const mail = invoice.correctionOfId === null ? 'invoice' : 'invoice_correction'
      // The page of the mail belongs to who sees orders (spec §2); the others write it in the form's place.
      await (hasAccess(ORDER_ACCESS)
        ? navigate({ to: `/invoices/${invoice.id}/edit/${mail}` as string })
        : navigate({ to: '.', search: { mail } as never }))
    })

  // A correction is set off where it comes from: nobody pays it, so that is no first thing to do with it.
  const isSetOff = invoice.correctionOfId !== null
  const next = moves.find((one) => one.kind === 'next' && !isSetOff)
  const isToCheck = side === 'carrier' && isReceivedInvoice(invoice.status)
  const main = mayMail ? (
    <Button variant="filled" loading={isBusy && asked === null && !isCorrecting} onClick={goToMail}>
      {t('send')}
    </Button>
  ) : isToCheck ? (
    <Button
      variant="filled"
      renderRoot={(props) => (
        <Link to={'/invoices/check' as string} search={{ invoice: String(invoice.id) } as never} {...props} />
      )}
    >
      {t('openCheck')}
    </Button>
  ) : next === undefined ? null : (
    <Button variant="filled" loading={isBusy && asked === null && !isCorrecting} onClick={() => ask(next)}>
      {t(`moves.${next.from}-${next.to}`)}
    </Button>
  )
  const others: Action[] = [
    ...moves
      // It is approved where it is checked.
      .filter((one) => !isToCheck || one !== next)
      .filter((one) => mayMail || one !== next)
      .map((one) => ({
        key: one.to,
        label: t(`moves.${one.from}-${one.to}`),
        icon: ICONS[one.kind],
        run: () => ask(one),
      })),
    ...(mayDeactivateInvoice(side, invoice.status) && state.action !== null
      ? [
          {
            key: 'state',
            label: t(isActive ? 'deactivate' : 'activate'),
            icon: isActive ? ('trash' as const) : ('refresh' as const),
            run: state.action,
          },
        ]
      : []),
    ...(side === 'customer' && invoice.number !== null
      ? [{ key: 'mail', label: t('mail.write'), icon: 'mail' as const, run: goToMail }]
      : []),
    ...(isCorrectable(invoice)
      ? [
          {
            key: 'correction',
            label: t('correct'),
            icon: 'edit' as const,
            run: () => setCorrecting(true),
          },
        ]
      : []),
  ]
  const dialogs = (
    <>
      {state.dialog}
      {asked === null ? null : (
        <ReasonWindow
          of={{ path: `invoices/${asked.to}`, id: invoice.id }}
          title={t(`moves.${asked.from}-${asked.to}`)}
          label={t('reason')}
          doLabel={t(`moves.${asked.from}-${asked.to}`)}
          isLong
          maxLength={2000}
          isOptional={!asked.needsReason}
          tone={asked.kind === 'out' ? 'danger' : 'primary'}
          onGive={(reason) => moveFor(asked.to, reason)}
          onClose={() => setAsked(null)}
        />
      )}
      {isCorrecting || isLedHere ? (
        <CorrectionWindow
          invoice={invoice}
          differenceCents={difference?.cents ?? null}
          isBusy={isBusy}
          onCancel={stopCorrecting}
          onConfirm={correct}
        />
      ) : null}
    </>
  )
  return { mark: state.mark, main, others, dialogs }
}

function useStateQuestion(): (invoice: Invoice, next: State) => StateQuestion {
  const { t } = useTranslation('invoice')
  return ({ number, innerNumber }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title: number ?? innerNumber }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
