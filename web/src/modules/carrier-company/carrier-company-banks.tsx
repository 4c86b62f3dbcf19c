import { Button } from '@mantine/core'
import type { CarrierCompany } from '@waybill/contract/carrier-company'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormValue } from '../../kit/form/form-context.ts'
import { LineGrid, type Line } from '../../kit/form/line-grid.tsx'
import { useSession } from '../../kit/session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './carrier-company.module.css'

const compact = (iban: string | null) => (iban ?? '').replace(/[\s-]/g, '').toUpperCase()

/** Where the carrier is paid. An account enters payment files once a second person has confirmed it (domain, Invoices). */
export function CarrierBanks({ carrier, onConfirm }: { carrier: CarrierCompany | null; onConfirm: (bankAccountId: number) => Promise<void> }) {
  const { t } = useTranslation('carrier-company')
  const ownId = useSession()?.profile.id ?? 0
  const lines = useFormValue<{ id?: number; iban: string | null }[]>('bankAccounts')
  const waiting = (carrier?.bankAccounts ?? []).filter(({ id, confirmedById }) => confirmedById === null && lines.some((line) => line.id === id)).length
  const mark = useCallback(
    (line: Line<string>) => {
      const { id, iban } = line as unknown as { id?: number; iban: string | null }
      const stored = carrier?.bankAccounts.find((one) => one.id === id)
      if (stored === undefined || compact(iban) !== stored.iban) return <span className={classes.waiting}>{t('bank.unsaved')}</span>
      if (stored.confirmedBy !== null) {
        return (
          <span className={classes.confirmed} title={t('bank.confirmedBy', { name: stored.confirmedBy.title })}>
            <Icon name="check" size={13} /> {stored.confirmedBy.title}
          </span>
        )
      }
      if (stored.enteredById === ownId) return <span className={classes.waiting} title={t('bank.ownMeans')}>{t('bank.own')}</span>
      return (
        <Button size="compact-sm" onClick={() => void onConfirm(stored.id)}>
          {t('bank.confirm')}
        </Button>
      )
    },
    [carrier, ownId, onConfirm, t],
  )
  return (
    <Section title={t('sections.bankAccounts')} isFlush summary={waiting === 0 ? undefined : t('bank.waiting', { count: waiting })}>
      <LineGrid
        name="bankAccounts"
        label={t('sections.bankAccounts')}
        columns={[
          { key: 'bankName', label: t('fields.bankName'), maxLength: 100 },
          { key: 'iban', label: t('fields.iban'), isRequired: true, maxLength: 50 },
          { key: 'bic', label: t('fields.bic'), maxLength: 11 },
        ]}
        addLabel={t('addBank')}
        removeLabel={(line) => t('removeLine', { what: t('line.bankAccounts', { line }) })}
        emptyText={t('noBanks')}
        extra={mark}
        extraLabel={t('bank.confirmed')}
      />
    </Section>
  )
}
