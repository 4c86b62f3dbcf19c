import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormText, FormTextArea } from '../../kit/form/fields.tsx'
import { useFormValue } from '../../kit/form/form-context.ts'
import { ModalFrame } from '../../ui/confirm-modal.tsx'
import classes from './cargo-details.module.css'

/** What a stop says beside the grid's columns: its reference, a phone, the gate, what the driver must know. */
export function StopDetails({ index, onClose }: { /** the stop's place */ index: number; onClose: () => void }) {
  const { t } = useTranslation(['order', 'cargo'])
  const at = `locations.${index}`
  const company = useFormValue<string | null>(`${at}.companyTitle`)
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={onClose}
      title={company === null ? t('stopNumber', { stop: index + 1 }) : `${index + 1} · ${company}`}
      closeLabel={t('close')}
      footer={
        <Button type="submit" variant="filled">
          {t('cargo:done')}
        </Button>
      }
    >
      <div className={classes.fields}>
        <FormText data-autofocus name={`${at}.reference`} label={t('stopFields.reference')} maxLength={100} />
        <FormText name={`${at}.phone`} label={t('stopFields.phone')} type="tel" maxLength={50} />
        <div className={classes.wide}>
          <FormText name={`${at}.specialInstructions`} label={t('stopFields.specialInstructions')} maxLength={2000} />
        </div>
        <div className={classes.wide}>
          <FormTextArea name={`${at}.comment`} label={t('stopFields.comment')} minRows={1} maxLength={2000} />
        </div>
      </div>
    </ModalFrame>
  )
}
