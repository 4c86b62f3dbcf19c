import { LOCATION_KINDS } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormText } from '../../../kit/form/fields/fields.tsx'
import { useField, useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { PlaceSection } from '../../place/place-section.tsx'
import classes from '../grid/details.module.css'
import { useCountries } from '../grid/choices.ts'
import { isBlankStop, type StopValues } from '../values/draft.ts'
import { useKnownPlaces } from '../values/parties.ts'
import { placeOf } from '../values/stop-words.ts'
import { TerminInput } from './termin-input.tsx'

/**
 * Fills a stop that was just added: from the customers' places, by a search, or by hand.
 * Given up, the stop goes again.
 */
export function AddStopModal({ index, onClose }: { /** the new stop's place */ index: number; onClose: () => void }) {
  const { t } = useTranslation(['order-parts', 'order'])
  const form = useFormContext()
  const at = `locations.${index}`
  const kind = useField<StopValues['kind']>(`${at}.kind`)
  const country = useField<number | null>(`${at}.countryId`)
  const customerIds = useFormValue<number[]>('customerIds')
  const places = useKnownPlaces(customerIds)
  const countries = useCountries()
  const remove = () => {
    const stops = form.get('locations') as StopValues[]
    form.set('locations', stops.toSpliced(index, 1))
    onClose()
  }
  // What was typed is not lost by a slip of Escape.
  const close = () => (isBlankStop((form.get('locations') as StopValues[])[index]!) ? remove() : onClose())
  return (
    <ModalFrame
      isOpen
      onClose={close}
      onSubmit={onClose}
      title={t('order:addStop')}
      closeLabel={t('order:close')}
      footer={
        <>
          <Button onClick={remove}>{t('order:cancel')}</Button>
          <Button type="submit" variant="filled">
            {t('order:addStop')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <div className={classes.wide}>
          <Segmented
            label={t('order:stopFields.kind')}
            value={kind.value}
            options={LOCATION_KINDS.map((one) => ({ value: one, label: t(`order:kinds.${one}`) }))}
            onChange={kind.set}
          />
        </div>
        <div className={classes.wide}>
          <TerminInput index={index} zone={null} />
        </div>
        {places.length === 0 ? null : (
          <div className={classes.wide}>
            <SelectField
              label={t('addStop.known')}
              data={places.map((place, number) => ({
                value: String(number),
                label: [place.companyTitle, place.address, [place.postal, place.city].filter(Boolean).join(' ')]
                  .filter(Boolean)
                  .join(', '),
              }))}
              value={null}
              searchable
              data-autofocus
              placeholder={t('addStop.choose')}
              nothingFoundMessage={t('order:nothingFound')}
              onChange={(id) => {
                const place = id === null ? undefined : places[Number(id)]
                if (place === undefined) return
                const stop = form.get(at) as StopValues
                form.set(at, { ...stop, ...placeOf(place, stop) })
              }}
            />
          </div>
        )}
        <div className={classes.narrow}>
          <PlaceSection at={at} />
        </div>
        <div className={classes.wide}>
          <FormText name={`${at}.companyTitle`} label={t('order:stopFields.companyTitle')} maxLength={250} />
        </div>
        <div className={classes.wide}>
          <FormText name={`${at}.address`} label={t('order:stopFields.address')} maxLength={250} />
        </div>
        <FormText name={`${at}.postal`} label={t('order:stopFields.postal')} maxLength={20} />
        <FormText name={`${at}.city`} label={t('order:stopFields.city')} maxLength={100} />
        <div className={classes.wide}>
          <SelectField
            label={t('order:stopFields.countryId')}
            name={`${at}.countryId`}
            isRequired
            searchable
            data={countries.map(({ id, title, code }) => ({
              value: String(id),
              label: code ? `${code} ${title}` : title,
            }))}
            value={country.value === null ? null : String(country.value)}
            error={country.error}
            nothingFoundMessage={t('order:nothingFound')}
            onChange={(value) => country.set(value === null ? null : Number(value))}
          />
        </div>
        <FormText name={`${at}.contactPerson`} label={t('order:stopFields.contactPerson')} maxLength={150} />
        <FormText name={`${at}.phone`} label={t('order:stopFields.phone')} type="tel" maxLength={50} />
      </div>
    </ModalFrame>
  )
}
