import { Button } from '@mantine/core'
import type { CarrierCompany } from '@waybill/contract/carrier-company'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ChildGrid, type ChildColumn, type ChildMark } from '../../kit/form/fields/child-grid.tsx'
import { useFormValue } from '../../kit/form/state/form-context.ts'
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
  const standing = useCallback(
    ({ id, iban }: BankLine) => {
      const stored = carrier?.bankAccounts.find((one) => one.id === id)
      if (stored === undefined || compact(iban) !== stored.iban)
        return <span className={classes.waiting}>{t('bank.unsaved')}</span>
      if (stored.confirmedBy !== null) {
        return (
          <span className={classes.confirmed} title={t('bank.confirmedBy', { name: stored.confirmedBy.title })}>
            <Icon name="check" size={13} /> {stored.confirmedBy.title}
          </span>
        )
      }
      if (stored.enteredById === ownId)
        return (
          <span className={classes.waiting} title={t('bank.ownMeans')}>
            {t('bank.own')}
          </span>
        )
      return (
        <Button size="compact-sm" onClick={() => void onConfirm(stored.id)}>
          {t('bank.confirm')}
        </Button>
      )
    },
    [carrier, ownId, onConfirm, t],
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
    (): ChildMark<BankLine> => ({ label: t('bank.confirmed'), width: 160, of: standing }),
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
