import { Button } from '@mantine/core'
import { confirmBankAccount, type Company } from '@waybill/contract/company'
import type { StoredBankAccount } from '@waybill/contract/kit/bank/bank'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { FormText } from '../../kit/form/fields/fields.tsx'
import { useField, useFormContext, useFormValue } from '../../kit/form/state/form-context.ts'
import { newKey } from '../../kit/form/state/values.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useSession } from '../../kit/session/session.ts'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { groupedIban, type BankAccountValues } from './company-values.ts'
import classes from './company.module.css'

interface BankAccountsProps {
  /** Null for a company that is still to be made */
  company: Company | null
  onConfirmed: (company: Company) => void
  /** Shows a refusal in the form's own place; true where it did. */
  takeRefusal: (error: unknown) => boolean
}

/** Where customers pay to and payments come from. A second person confirms each account (domain, Invoices). */
export function CompanyBankAccounts({ company, onConfirmed, takeRefusal }: BankAccountsProps) {
  const { t } = useTranslation('company')
  const { isReadOnly } = useFormContext()
  const accounts = useField<BankAccountValues[]>('bankAccounts')
  const [asked, setAsked] = useState<StoredBankAccount | null>(null)
  return (
    <div data-path="bankAccounts">
      {accounts.value.length === 0 ? <p className={classes.none}>{t('noAccounts')}</p> : null}
      <ol className={classes.accounts}>
        {accounts.value.map((account, index) => (
          <li key={account.id ?? account.key} className={classes.account}>
            <BankAccount
              index={index}
              stored={company?.bankAccounts.find(({ id }) => id === account.id) ?? null}
              onAsk={setAsked}
              onRemove={isReadOnly ? null : () => accounts.set(accounts.value.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      {isReadOnly ? null : (
        <Button
          className={classes.add}
          size="compact-sm"
          variant="subtle"
          leftSection={<Icon name="plus" size={13} />}
          onClick={() => accounts.set([...accounts.value, { key: newKey(), bankName: null, iban: null, bic: null }])}
        >
          {t('addAccount')}
        </Button>
      )}
      {company === null ? null : (
        <ConfirmAccount
          company={company}
          asked={asked}
          onClose={() => setAsked(null)}
          onConfirmed={onConfirmed}
          takeRefusal={takeRefusal}
        />
      )}
    </div>
  )
}

interface BankAccountProps {
  index: number
  /** As it was read */
  stored: StoredBankAccount | null
  onAsk: (account: StoredBankAccount) => void
  onRemove: (() => void) | null
}

function BankAccount({ index, stored, onAsk, onRemove }: BankAccountProps) {
  const { t } = useTranslation('company')
  const at = (field: string) => `bankAccounts.${index}.${field}`
  const iban = useFormValue<string | null>(at('iban'))
  const ownId = useSession()?.profile.id
  const isAsStored = stored !== null && (iban ?? '').replace(/[\s-]/g, '').toUpperCase() === stored.iban
  return (
    <>
      <FormText name={at('bankName')} label={t('bankFields.bankName')} maxLength={100} autoComplete="off" />
      <FormText
        name={at('iban')}
        label={t('bankFields.iban')}
        isRequired
        maxLength={50}
        autoComplete="off"
        spellCheck={false}
      />
      <FormText name={at('bic')} label={t('bankFields.bic')} maxLength={11} autoComplete="off" spellCheck={false} />
      <div className={classes.remove}>
        {onRemove === null ? null : (
          <IconButton icon="trash" label={t('removeAccount', { number: index + 1 })} onClick={onRemove} />
        )}
      </div>
      <div className={classes.standing}>
        {!isAsStored ? (
          t('standing.unsaved')
        ) : stored.confirmedById !== null ? (
          <span className={classes.confirmed}>
            <Icon name="check" size={13} />
            {t('standing.confirmed', { name: stored.confirmedBy?.title ?? '' })}
          </span>
        ) : (
          <>
            <Mark level={2}>{t('unconfirmed')}</Mark>
            {stored.enteredById === ownId
              ? t('standing.own')
              : stored.enteredBy === null
                ? t('standing.open')
                : t('standing.entered', { name: stored.enteredBy.title })}
            {stored.enteredById === ownId ? null : (
              <Button size="compact-sm" onClick={() => onAsk(stored)}>
                {t('confirm.button')}
              </Button>
            )}
          </>
        )}
      </div>
    </>
  )
}

function ConfirmAccount({
  company,
  asked,
  onClose,
  onConfirmed,
  takeRefusal,
}: BankAccountsProps & { company: Company; asked: StoredBankAccount | null; onClose: () => void }) {
  const { t } = useTranslation('company')
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  // The words stay while the dialog closes.
  const [shown, setShown] = useState(asked)
  if (asked !== null && asked !== shown) setShown(asked)
  const confirm = async () => {
    if (asked === null) return
    setBusy(true)
    try {
      onConfirmed(
        await callApi(confirmBankAccount, {
          params: { id: asked.id },
          version: company.version,
          idempotencyKey: newIdempotencyKey(),
        }),
      )
      notify({ tone: 'ok', title: t('confirm.done'), closeLabel: t('form:close') })
    } catch (error) {
      if (!takeRefusal(error))
        notify({ tone: 'danger', title: t('confirm.failed'), detail: errorText(error), closeLabel: t('form:close') })
    } finally {
      setBusy(false)
      onClose()
    }
  }
  return (
    <ConfirmModal
      isOpen={asked !== null}
      withInfoIcon
      tone="primary"
      title={t('confirm.title')}
      confirmLabel={t('confirm.button')}
      cancelLabel={t('form:cancel')}
      closeLabel={t('form:close')}
      isBusy={isBusy}
      onCancel={onClose}
      onConfirm={() => void confirm()}
    >
      {shown === null ? null : t('confirm.text', { iban: groupedIban(shown.iban), title: company.title })}
    </ConfirmModal>
  )
}
