import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormText, FormTextArea } from '../../../kit/form/fields/fields.tsx'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import classes from '../grid/details.module.css'
import { FIELDS_OF_STOP } from '../grid/dialog-fields.ts'

/** What a stop says beside the grid's columns: its reference, a phone, the gate, what the driver must know. */
export function StopDetails({ index, onClose }: { /** the stop's place */ index: number; onClose: () => void }) {
  const { t } = useTranslation(['order', 'cargo'])
  const at = `locations.${index}`
  const company = useFormValue<string | null>(`${at}.companyTitle`)
  const { problems } = useFormContext()
  const first = FIELDS_OF_STOP.find((field) => problems.some(({ path }) => path === `${at}.${field}`)) ?? 'reference'
  const props = (field: (typeof FIELDS_OF_STOP)[number]) => ({
    name: `${at}.${field}`,
    label: t(`stopFields.${field}`),
    'data-autofocus': field === first || undefined,
  })
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
        <FormText {...props('reference')} maxLength={100} />
        <FormText {...props('phone')} type="tel" maxLength={50} />
        <div className={classes.wide}>
          <FormText {...props('specialInstructions')} maxLength={2000} />
        </div>
        <div className={classes.wide}>
          <FormTextArea {...props('comment')} minRows={1} maxLength={2000} />
        </div>
      </div>
    </ModalFrame>
  )
}
