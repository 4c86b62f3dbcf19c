import { Button, Checkbox, Combobox, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { countryApi } from '@waybill/contract/country'
import type { Place } from '@waybill/contract/place'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FormNumber } from '../../kit/form/fields/fields.tsx'
import { useFormContext, useFormValue } from '../../kit/form/state/form-context.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useMarkedFirst } from '../../kit/list/reference/marked-first.ts'
import { useTitles } from '../../kit/list/reference/references.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { fieldProps } from '../../ui/fields/field.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import classes from './place-section.module.css'
import { positionIn, withPlace, type PlaceValues, type Position } from './place-values.ts'
import { usePlaces } from './use-places.ts'

// The map and its library are fetched by those who look for a place.
const PlaceMap = lazy(() => import('./place-map.tsx').then((file) => ({ default: file.PlaceMap })))

/** Long enough for a typist's pause: a geocoder may be asked. */
const TYPING_MS = 200

/**
 * Looks for the place at a path of the form and writes what it finds: street, postal code, town and country; position
 * and time zone where the values there have them. The fields of the address stay with the form, to be typed by hand.
 */
export function PlaceSection({ at }: { at: string }) {
  const { t, i18n } = useTranslation('place')
  const form = useFormContext()
  const values = useFormValue<PlaceValues>(at)
  const [typed, setTyped] = useState('')
  const [isNarrow, setNarrow] = useState(false)
  const [marked, setMarked] = useState<string | null>(null)
  const [taken, setTaken] = useState<Place | null>(null)
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const asked = typed.trim() === '' ? '' : q
  const position = positionIn(typed)
  const list = usePlaces(position === null ? asked : '', isNarrow ? values.countryId : null)
  const titles = useTitles(countryApi, values.countryId === null ? [] : [values.countryId])
  const combobox = useCombobox()
  const isAnswered = list.isFresh && q === typed.trim()
  useMarkedFirst(combobox, isAnswered, list.items)

  const hasPosition = 'latitude' in values
  const pin =
    values.latitude == null ||
    values.longitude == null ||
    Number.isNaN(values.latitude) ||
    Number.isNaN(values.longitude)
      ? null
      : { latitude: values.latitude, longitude: values.longitude }
  const inHand = marked ?? (isAnswered ? (list.items[0]?.key ?? null) : null)

  const type = (text: string) => {
    setTyped(text)
    setMarked(null)
    setTaken(null)
    combobox.resetSelectedOption()
    if (text === '') combobox.closeDropdown()
    else combobox.openDropdown()
  }
  const choose = (place: Place) => {
    form.set(at, withPlace(form.get(at) as PlaceValues, place))
    type('')
    setTaken(place)
  }
  const move = (to: Position) => form.set(at, { ...(form.get(at) as PlaceValues), ...to })
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && typed !== '') {
      type('')
      // The modal around it stays.
      event.stopPropagation()
    }
    if (event.key !== 'Enter') return
    // A search is not a wish to save.
    event.preventDefault()
    if (position !== null && hasPosition) {
      move(position)
      type('')
    }
  }
  const mark = () => setMarked(list.items[combobox.getSelectedOptionIndex()]?.key ?? null)

  return (
    <div className={classes.section}>
      <div className={classes.search}>
        <Combobox
          store={combobox}
          onOptionSubmit={(key) => choose(list.items.find((place) => place.key === key)!)}
          disabled={form.isReadOnly}
        >
          <Combobox.EventsTarget withExpandedAttribute>
            <TextInput
              {...fieldProps({ label: t('search'), hint: hasPosition ? t('searchHintPosition') : t('searchHint') })}
              value={typed}
              readOnly={form.isReadOnly}
              maxLength={200}
              autoComplete="off"
              leftSection={
                <Icon
                  name={list.isLoading ? 'spinner' : 'search'}
                  size={13}
                  className={list.isLoading ? classes.turning : undefined}
                />
              }
              onChange={(event) => type(event.currentTarget.value)}
              onKeyDown={press}
              onKeyUp={mark}
            />
          </Combobox.EventsTarget>
          {values.countryId === null ? null : (
            <Checkbox
              size="xs"
              className={classes.narrow}
              label={t('onlyIn', { country: titles.get(values.countryId) ?? '…' })}
              checked={isNarrow}
              disabled={form.isReadOnly}
              onChange={(event) => setNarrow(event.currentTarget.checked)}
            />
          )}
          <Combobox.Options
            aria-label={t('hits')}
            aria-busy={list.isLoading}
            className={classes.hits}
            hidden={list.items.length === 0}
          >
            {list.items.map((place) => (
              <Combobox.Option
                key={place.key}
                value={place.key}
                className={classes.hit}
                onMouseEnter={() => setMarked(place.key)}
              >
                <span className={classes.title}>{place.title}</span>
                <span className={classes.where}>{whereOf(place, t, i18n.language)}</span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox>
        <div role="status" className={classes.status}>
          {position !== null && hasPosition ? t('enterSetsPin') : null}
          {isAnswered && list.items.length === 0 && list.error === null ? t('nothingFound') : null}
          {isAnswered && list.isFallback ? t('fallback') : null}
          {taken === null ? null : t('taken', { place: taken.title })}
        </div>
        {list.error === null ? null : <SearchFailed error={list.error} onRetry={list.retry} />}
        {taken !== null && taken.country === null ? <CountryNotFound code={taken.countryCode} /> : null}
        {hasPosition ? (
          <div className={classes.position}>
            <FormNumber name={`${at}.latitude`} label={t('latitude')} places={6} unit="°" />
            <FormNumber name={`${at}.longitude`} label={t('longitude')} places={6} unit="°" />
          </div>
        ) : null}
      </div>
      <Suspense fallback={<SkeletonLines lines={6} label={t('loading')} />}>
        <PlaceMap
          hits={list.items}
          marked={inHand}
          pin={pin}
          isReadOnly={form.isReadOnly}
          onPick={choose}
          onMove={hasPosition ? move : undefined}
        />
      </Suspense>
    </div>
  )
}

function SearchFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('place')
  const errorText = useErrorText()
  return (
    <Notice tone="danger" isUrgent>
      {errorText(error)}{' '}
      <Button size="compact-sm" onClick={onRetry}>
        {t('retry')}
      </Button>
    </Notice>
  )
}

/**
 * The settings lack the country of what was chosen (spec §5); who may adds it in another tab,
 * and nothing typed here is lost.
 */
function CountryNotFound({ code }: { code: string }) {
  const { t, i18n } = useTranslation('place')
  return (
    <Notice tone="warn" isUrgent>
      <b>{t('countryNotFound')}</b> {t('countryMissing', { country: countryName(code, i18n.language) })}{' '}
      {hasAccess(countryApi.create.access) ? (
        <Link to="/countries/create" target="_blank">
          {t('addCountry')}
        </Link>
      ) : null}
    </Notice>
  )
}

const countryName = (code: string, language: string): string =>
  /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code) : code

/** What tells a hit from others of its name: its address, a large town nearby, the country. */
function whereOf(
  { title, address, postal, city, near, countryCode }: Place,
  t: (key: 'near', values: { town: string }) => string,
  language: string,
): string {
  const town = [postal, city === title ? null : city].filter(Boolean).join(' ')
  const nearby =
    near === null || near === city ? null : address === null && postal === null ? t('near', { town: near }) : near
  return [address === title ? null : address, town, nearby, countryName(countryCode, language)]
    .filter(Boolean)
    .join(', ')
}
