import { LANGUAGES, type Language } from '@waybill/contract/errors'
import type { Order } from '@waybill/contract/order/order'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { TextAreaField, TextField } from '../../../ui/fields/field.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import classes from './papers.module.css'
import { CollectiveDeliveries } from './collective-deliveries.tsx'
import type { CertificateForm } from './use-certificate.ts'

/** What a certificate of arrival or export says beside the order, and which law it is made for. */
export function CertificateFields({ order, form }: { order: Order; form: CertificateForm }) {
  const { t, i18n } = useTranslation('order-papers')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const { typed, set, all, meant, proposed, isExport } = form
  if (meant === null) return null
  const month = (one: string) =>
    new Intl.DateTimeFormat(i18n.language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${one}-01T00:00:00Z`),
    )
  const months = [...new Set([...(proposed.month === null ? [] : [proposed.month]), ...form.months])]
  return (
    <>
      {all.length > 1 ? (
        <SelectField
          label={t('dropOff')}
          isRequired
          allowDeselect={false}
          data={all.map(({ dropOff }) => ({
            value: String(dropOff.id),
            label: [dropOff.city, dropOff.companyTitle].filter(Boolean).join(', '),
          }))}
          value={String(meant.dropOff.id)}
          onChange={(value) => set({ dropOffId: Number(value), together: [] })}
        />
      ) : null}
      <p>{t(`certified.${meant.kind}`)}</p>
      <TextField
        label={t(isExport ? 'recipient' : 'buyer')}
        isRequired={proposed.buyer === null}
        placeholder={proposed.buyer ?? ''}
        hint={proposed.buyer === null ? fieldErrorText('buyer_missing') : t('fromDropOff')}
        maxLength={250}
        value={typed.buyer}
        onChange={(event) => set({ buyer: event.currentTarget.value })}
      />
      {typed.buyer.trim() === '' ? null : (
        <TextAreaField
          label={t('buyerAddress')}
          minRows={2}
          maxLength={500}
          value={typed.buyerAddress}
          onChange={(event) => set({ buyerAddress: event.currentTarget.value })}
        />
      )}
      <div className={classes.pair}>
        {isExport ? (
          <TextField
            label={t('exportedOn')}
            isRequired={proposed.exportedOn === null}
            placeholder={proposed.exportedOn === null ? '' : format.date(proposed.exportedOn)}
            error={form.isDayUnread ? fieldErrorText('invalid_date') : undefined}
            autoComplete="off"
            maxLength={20}
            value={typed.exportedOn}
            onChange={(event) => set({ exportedOn: event.currentTarget.value })}
          />
        ) : (
          <SelectField
            label={t('month')}
            data={months.map((one) => ({ value: one, label: month(one) }))}
            value={typed.month}
            placeholder={proposed.month === null ? '' : month(proposed.month)}
            clearable
            onChange={(value) => set({ month: value, together: [] })}
          />
        )}
        <SelectField
          label={t('secondLanguage')}
          data={LANGUAGES.map((one) => ({ value: one, label: t(`language.${one}`) }))}
          value={typed.language}
          placeholder={t('automatic')}
          clearable
          onChange={(value) => set({ language: value as Language | null })}
        />
      </div>
      {isExport ? (
        <>
          <TextField
            label={t('exportPlace')}
            isRequired={proposed.exportPlace === ''}
            placeholder={proposed.exportPlace}
            maxLength={200}
            value={typed.exportPlace}
            onChange={(event) => set({ exportPlace: event.currentTarget.value })}
          />
          <TextField
            label={t('mrn')}
            placeholder={t('mrnExample')}
            maxLength={20}
            value={typed.mrn}
            onChange={(event) => set({ mrn: event.currentTarget.value })}
          />
          <Notice>{t('exitNoteFirst')}</Notice>
        </>
      ) : null}
      <CollectiveDeliveries order={order} form={form} />
      <details className={classes.more}>
        <summary>{t('moreCertified')}</summary>
        <div className={classes.fields}>
          <TextField
            label={t('supplier')}
            placeholder={proposed.supplier ?? ''}
            maxLength={250}
            value={typed.supplier}
            onChange={(event) => set({ supplier: event.currentTarget.value })}
          />
          {typed.supplier.trim() === '' ? null : (
            <TextAreaField
              label={t('supplierAddress')}
              minRows={2}
              maxLength={500}
              value={typed.supplierAddress}
              onChange={(event) => set({ supplierAddress: event.currentTarget.value })}
            />
          )}
          <TextAreaField
            label={t('vehicleNumbers')}
            hint={t('vehicleNumbersMean')}
            maxLength={2000}
            value={typed.vehicleNumbers}
            onChange={(event) => set({ vehicleNumbers: event.currentTarget.value })}
          />
        </div>
      </details>
    </>
  )
}
