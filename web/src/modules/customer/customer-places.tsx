import { Button } from '@mantine/core'
import { countryApi } from '@waybill/contract/country'
import type { Reference } from '@waybill/contract/kit/fields'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { FormText, FormTextArea } from '../../kit/form/fields/fields.tsx'
import { focusPath } from '../../kit/form/state/focus-path.ts'
import { useFormContext, useFormValue } from '../../kit/form/state/form-context.ts'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import { isSame, sameChild } from '../../kit/form/state/values.ts'
import { useTitles } from '../../kit/list/reference/references.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Section } from '../../ui/page/section.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { PlaceSection } from '../place/place-section.tsx'
import classes from './customer-form.module.css'
import { newPlace, type CustomerValues, type PlaceValues } from './customer-values.ts'

interface CustomerPlacesProps {
  /** Which place is unfolded */
  openPlace: number | null
  onOpen: (place: number | null) => void
}

/** Where goods are fetched and brought: one line each, one unfolded at a time. */
export function CustomerPlaces({ openPlace, onOpen }: CustomerPlacesProps) {
  const { t } = useTranslation('customer')
  const form = useFormContext()
  const places = useFormValue<PlaceValues[]>('pickupLocations')
  const countries = useTitles(countryApi, [...new Set(places.flatMap(({ countryId }) => countryId ?? []))])
  const base = (form.base as CustomerValues | null)?.pickupLocations ?? null
  const add = () => {
    form.set('pickupLocations', [...places, newPlace(form.get('countryId') as number | null)])
    onOpen(places.length)
    focusPath(`pickupLocations.${places.length}.companyTitle`)
  }
  const remove = (index: number) => {
    form.set('pickupLocations', places.toSpliced(index, 1))
    onOpen(null)
  }
  return (
    <Section title={t('tab.places')} summary={t('placesMean')} isFlush>
      {places.length === 0 ? (
        <p className={classes.empty}>{t('noPlaces')}</p>
      ) : (
        <ul className={classes.places}>
          {places.map((place, index) => (
            <Place
              key={place.id ?? place.key}
              place={place}
              index={index}
              country={
                place.countryId === null ? null : { id: place.countryId, title: countries.get(place.countryId) ?? '…' }
              }
              isOpen={openPlace === index}
              isChanged={base !== null && !isSame(place, sameChild(base, place))}
              isWrong={form.problems.some(({ path }) => path.startsWith(`pickupLocations.${index}.`))}
              onToggle={() => onOpen(openPlace === index ? null : index)}
              onRemove={form.isReadOnly ? null : () => remove(index)}
            />
          ))}
        </ul>
      )}
      {form.isReadOnly ? null : (
        <div className={classes.foot}>
          <Button size="compact-sm" variant="subtle" leftSection={<Icon name="plus" size={13} />} onClick={add}>
            {t('addPlace')}
          </Button>
        </div>
      )}
    </Section>
  )
}

interface PlaceProps {
  place: PlaceValues
  index: number
  country: Reference | null
  isOpen: boolean
  isChanged: boolean
  isWrong: boolean
  onToggle: () => void
  onRemove: (() => void) | null
}

function Place({ place, index, country, isOpen, isChanged, isWrong, onToggle, onRemove }: PlaceProps) {
  const { t } = useTranslation('customer')
  const id = useId()
  const at = (field: keyof PlaceValues) => `pickupLocations.${index}.${field}`
  const line = [place.address, [place.postal, place.city].filter(Boolean).join(' '), country?.title]
    .filter(Boolean)
    .join(', ')
  const name = place.companyTitle ?? t('newPlace')
  return (
    <li className={classes.place} data-path={`pickupLocations.${index}`}>
      <div className={classes.placeHead} data-changed={isChanged || undefined}>
        <button
          type="button"
          className={classes.placeToggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={13} />
          <span className={classes.placeTitle}>{name}</span>
          <span className={classes.placeLine}>{line}</span>
          {isWrong ? <Icon name="alert" className={classes.wrong} label={t('placeWrong')} /> : null}
        </button>
        {onRemove === null ? null : (
          <IconButton icon="trash" isSmall label={t('removePlace', { name })} onClick={onRemove} />
        )}
      </div>
      {isOpen ? (
        <div id={id} className={`${classes.fields} ${classes.placeFields}`}>
          <div data-wide>
            <FormText
              name={at('companyTitle')}
              label={t('place.companyTitle')}
              isRequired
              maxLength={250}
              autoComplete="off"
            />
          </div>
          <div data-wide>
            <PlaceSection at={`pickupLocations.${index}`} />
          </div>
          <div data-half>
            <FormText name={at('address')} label={t('place.address')} maxLength={250} autoComplete="off" />
          </div>
          <div data-narrow>
            <FormText name={at('postal')} label={t('place.postal')} maxLength={20} autoComplete="off" />
          </div>
          <div data-narrow>
            <FormText name={at('city')} label={t('place.city')} maxLength={100} autoComplete="off" />
          </div>
          <div data-half>
            <FormReference
              name={at('countryId')}
              label={t('place.countryId')}
              isRequired
              select={CountrySelect}
              current={country}
            />
          </div>
          <FormText name={at('contactPerson')} label={t('place.contactPerson')} maxLength={150} autoComplete="off" />
          <FormText
            name={at('phone')}
            label={t('place.phone')}
            type="tel"
            inputMode="tel"
            maxLength={50}
            autoComplete="off"
          />
          <div data-wide>
            <FormTextArea name={at('comment')} label={t('place.comment')} minRows={1} maxRows={6} maxLength={2000} />
          </div>
        </div>
      ) : null}
    </li>
  )
}
