import { Button } from '@mantine/core'
import type { CarrierCompany } from '@waybill/contract/carrier-company'
import { accountStanding } from '@waybill/contract/kit/bank/bank'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ChildGrid, type ChildColumn, type ChildMark } from '../../kit/form/fields/child-grid.tsx'
import { useFormValue } from '../../kit/form/state/form-context.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useSession } from '../../kit/session/session.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Section } from '../../ui/page/section.tsx'
import { EMPTY_BANK, type BankLine } from './carrier-company-values.ts'
import classes from './carrier-company.module.css'

const compact = (iban: string | null) => (iban ?? '').replace(/[\s-]/g, '').toUpperCase()

/**
 * Where the carrier is paid. An account enters payment files once a second person has
 * confirmed it (domain, Invoices).
 */
export function CarrierBanks({
  carrier,
  onConfirm,
}: {
  carrier: CarrierCompany | null
  onConfirm: (bankAccountId: number) => Promise<void>
}) {
  const { t } = useTranslation('carrier-company')
  const ownId = useSession()?.profile.id ?? 0
  const lines = useFormValue<{ id?: number; iban: string | null }[]>('bankAccounts')
  const waiting = (carrier?.bankAccounts ?? []).filter(
    ({ id, confirmedById }) => confirmedById === null && lines.some((line) => line.id === id),
  ).length
  const format = useFormat()
  // From whom it came and when: what somebody must know before confirming.
  const originOf = useCallback(
    ({ enteredBy, enteredAt, source, sourceInvoice, typedBy }: CarrierCompany['bankAccounts'][number]) =>
      [
        enteredBy === null || enteredAt === null
          ? null
          : t('bank.enteredBy', { name: enteredBy.title, date: format.dayShort(enteredAt) }),
        source === null ? null : t(`bank.source.${source}`),
        sourceInvoice === null ? null : t('bank.onInvoice', { number: sourceInvoice.title }),
        typedBy.length === 0 ? null : t('bank.typedBy', { names: typedBy.map(({ title }) => title).join(', ') }),
      ]
        .filter(Boolean)
        .join(', '),
    [t, format],
  )
  const standing = useCallback(
    ({ id, iban }: BankLine) => {
      const stored = carrier?.bankAccounts.find((one) => one.id === id)
      if (stored === undefined || compact(iban) !== stored.iban)
        return <span className={classes.waiting}>{t('bank.unsaved')}</span>
      const origin = originOf(stored)
      if (stored.confirmedBy !== null) {
        const isFresh = accountStanding(stored, new Date()) === 'fresh'
        const confirmed = [
          t('bank.confirmedBy', { name: stored.confirmedBy.title }),
          stored.confirmedAt === null ? null : format.dateTime(stored.confirmedAt),
          isFresh ? t('bank.freshMeans') : null,
        ]
        return (
          <span className={classes.confirmed} title={[...confirmed, origin].filter(Boolean).join('\n')}>
            <Icon name="check" size={13} /> {stored.confirmedBy.title}
            {isFresh ? <span className={classes.waiting}> {t('bank.fresh')}</span> : null}
          </span>
        )
      }
      if (stored.enteredById === ownId)
        return (
          <span className={classes.waiting} title={[t('bank.ownMeans'), origin].filter(Boolean).join('\n')}>
            {t('bank.own')}
          </span>
        )
      return (
        <span className={classes.toConfirm}>
          <Button size="compact-sm" onClick={() => void onConfirm(stored.id)}>
            {t('bank.confirm')}
          </Button>
          <span className={classes.waiting}>{origin}</span>
        </span>
      )
    },
    [carrier, ownId, onConfirm, originOf, format, t],
  )
  const columns = useMemo(
    (): readonly ChildColumn[] => [
      { field: 'bankName', label: t('fields.bankName'), maxLength: 100 },
      { field: 'iban', label: t('fields.iban'), width: 262, maxLength: 50, isRequired: true },
      { field: 'bic', label: t('fields.bic'), width: 110, maxLength: 11 },
    ],
    [t],
  )
  const mark = useMemo(
    (): ChildMark<BankLine> => ({ label: t('bank.confirmed'), width: 260, of: standing }),
    [t, standing],
  )
  return (
    <Section
      title={t('sections.bankAccounts')}
      isFlush
      summary={waiting === 0 ? undefined : t('bank.waiting', { count: waiting })}
    >
      <ChildGrid
        name="bankAccounts"
        label={t('sections.bankAccounts')}
        columns={columns}
        empty={EMPTY_BANK}
        addLabel={t('addBank')}
        removeLabel={(line) => t('removeLine', { what: t('line.bankAccounts', { line }) })}
        mark={mark}
        emptyText={t('noBanks')}
      />
    </Section>
  )
}
