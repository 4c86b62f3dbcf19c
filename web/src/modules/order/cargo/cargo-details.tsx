import { customerApi } from '@waybill/contract/customer'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormNumber, FormText, FormTextArea } from '../../../kit/form/fields/fields.tsx'
import { useField, useFormValue } from '../../../kit/form/state/form-context.ts'
import { FormReference, FormReferences } from '../../../kit/form/fields/reference-fields.tsx'
import { useTitles } from '../../../kit/list/reference/references.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { TextField } from '../../../ui/fields/field.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { CargoTypeSelect, SpecialHandlingMultiSelect } from '../../type-list/type-select.tsx'
import classes from '../grid/details.module.css'
import type { CargoValues } from '../values/draft.ts'

interface CargoDetailsProps {
  /** The line's place */
  index: number
  /** For what Ldm and volume follow from */
  onChange: (index: number, part: Partial<CargoValues>) => void
  onClose: () => void
  onRemove: () => void
  onDuplicate: () => void
  onSplit: () => void
}

/**
 * What a line of cargo says beside the grid's columns: type, value, handling,
 * instructions, temperature, dangerous goods.
 */
export function CargoDetails({ index, onChange, onClose, onRemove, onDuplicate, onSplit }: CargoDetailsProps) {
  const { t } = useTranslation('cargo')
  const at = `cargo.${index}`
  const customerIds = useFormValue<number[]>('customerIds')
  const title = useFormValue<string | null>(`${at}.title`)
  const owner = useField<number | null>(`${at}.customerId`)
  const { isReadOnly } = owner
  const titles = useTitles(customerApi, customerIds)
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      onSubmit={onClose}
      title={title === null ? t('lineNumber', { line: index + 1 }) : `${index + 1} · ${title}`}
      closeLabel={t('close')}
      footer={
        <>
          <Button variant="subtle" disabled={isReadOnly} onClick={onRemove}>
            {t('removeLine')}
          </Button>
          <Button disabled={isReadOnly} onClick={onDuplicate}>
            {t('duplicateLine')}
          </Button>
          <Button disabled={isReadOnly} onClick={onSplit}>
            {t('split.open')}
          </Button>
          <Button type="submit" variant="filled">
            {t('done')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        {customerIds.length > 1 ? (
          <div className={classes.wide}>
            <SelectField
              label={t('fields.customerId')}
              name={`${at}.customerId`}
              allowDeselect={false}
              data={customerIds.map((id) => ({ value: String(id), label: titles.get(id) ?? '…' }))}
              value={String(owner.value ?? customerIds[0])}
              error={owner.error}
              isChanged={owner.isChanged}
              readOnly={isReadOnly}
              onChange={(id) => owner.set(Number(id))}
            />
          </div>
        ) : null}
        <FormNumber
          name={`${at}.valueCents`}
          label={t('fields.valueCents')}
          unit="€"
          places={2}
          hasFixedPlaces
          factor={100}
        />
        <FormReference name={`${at}.cargoTypeId`} select={CargoTypeSelect} label={t('fields.cargoTypeId')} />
        <FormNumber name={`${at}.packages`} label={t('fields.packages')} />
        <FormNumber
          name={`${at}.stackingFactor`}
          label={t('fields.stackingFactor')}
          hint={t('stackingHint')}
          // Nothing stands on anything else where nothing is said.
          onSet={(stackingFactor) => onChange(index, { stackingFactor: stackingFactor ?? 1 })}
        />
        <div className={classes.wide}>
          <FormReferences
            name={`${at}.specialHandlingTypeIds`}
            select={SpecialHandlingMultiSelect}
            label={t('fields.specialHandlingTypeIds')}
          />
        </div>
        <div className={classes.wide}>
          <FormTextArea name={`${at}.instructions`} label={t('fields.instructions')} />
        </div>
        <div className={classes.wide}>
          <FormText name={`${at}.marks`} label={t('fields.marks')} />
        </div>
        <FormNumber name={`${at}.temperatureFrom`} label={t('fields.temperatureFrom')} unit="°C" places={1} />
        <FormNumber name={`${at}.temperatureTo`} label={t('fields.temperatureTo')} unit="°C" places={1} />
        <AdrFields path={`${at}.adr`} />
      </div>
    </ModalFrame>
  )
}

/** Dangerous goods: both parts or none. */
function AdrFields({ path }: { path: string }) {
  const { t } = useTranslation('cargo')
  const field = useField<CargoValues['adr']>(path)
  const unNumber = useField<string | null>(`${path}.unNumber`)
  const adrClass = useField<string | null>(`${path}.adrClass`)
  const change = (part: Partial<NonNullable<CargoValues['adr']>>) => {
    const next = { unNumber: field.value?.unNumber ?? '', adrClass: field.value?.adrClass ?? '', ...part }
    field.set(next.unNumber === '' && next.adrClass === '' ? null : next)
  }
  return (
    <>
      <TextField
        label={t('fields.unNumber')}
        name={`${path}.unNumber`}
        inputMode="numeric"
        maxLength={4}
        value={field.value?.unNumber ?? ''}
        error={unNumber.error ?? field.error}
        isChanged={field.isChanged}
        readOnly={field.isReadOnly}
        onChange={(event) => change({ unNumber: event.currentTarget.value })}
      />
      <TextField
        label={t('fields.adrClass')}
        name={`${path}.adrClass`}
        maxLength={10}
        value={field.value?.adrClass ?? ''}
        error={adrClass.error}
        isChanged={field.isChanged}
        readOnly={field.isReadOnly}
        onChange={(event) => change({ adrClass: event.currentTarget.value })}
      />
    </>
  )
}
