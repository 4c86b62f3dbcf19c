import type { KnownPlace } from '@waybill/contract/order/known-places'
import { LOCATION_KINDS, type Order } from '@waybill/contract/order/order'
import { Button, Checkbox } from '@mantine/core'
import { lazy, memo, Suspense, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormNumber, FormText, FormTextArea } from '../../../kit/form/fields/fields.tsx'
import {
  useField,
  useFormContext,
  useFormValue,
  useFormValueOf,
  useFormValuesOf,
} from '../../../kit/form/state/form-context.ts'
import { newKey } from '../../../kit/form/state/values.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Mark, StopMark, stopColor } from '../../../ui/marks/marks.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { cargoDropProps } from '../cargo/cargo-drag.ts'
import { useCountries } from '../grid/choices.ts'
import {
  cargoAt,
  emptyStop,
  stopOfCargo,
  withAction,
  type CargoAction,
  type CargoValues,
  type StopValues,
} from '../values/draft.ts'
import classes from './locations-section.module.css'
import { known } from '../values/money.ts'
import { useKnownPlaces } from '../values/parties.ts'
import { placeOf } from '../values/stop-words.ts'
import { TerminInput } from './termin-input.tsx'
import { useStopMoves } from './use-stop-moves.tsx'

const PlaceSection = lazy(() =>
  import('../../place/place-section.tsx').then((file) => ({ default: file.PlaceSection })),
)
const AddStopModal = lateWindow(() => import('./add-stop-modal.tsx').then((file) => file.AddStopModal))
const StopLoadCarriersWindow = lateWindow(() =>
  import('../../load-carrier/stop-load-carriers-section.tsx').then((file) => file.stopLoadCarriersWindow()),
)
const TerminModal = lateWindow(() => import('./termin-modal.tsx').then((file) => file.TerminModal))

/** The stops in the order in which they are driven, each with its time, address, contact and cargo. */
export function OrderLocationsSection({
  order,
  openStop,
  onOpenStop,
}: {
  order: Order
  openStop: number | null
  onOpenStop: (index: number | null) => void
}) {
  const { t } = useTranslation('order')
  const form = useFormContext()
  const stops = useFormValue<StopValues[]>('locations')
  const read = useCallback(() => form.get('locations') as StopValues[], [form])
  const { move, said } = useStopMoves()
  const duplicate = useCallback(
    (index: number) => {
      const { id: _id, ...stop } = read()[index]!
      form.set(
        'locations',
        read().toSpliced(index + 1, 0, {
          ...stop,
          key: newKey(),
          cargoActions: [],
          delayReason: null,
          plannedAt: null,
          arrivedAt: null,
          loadedAt: null,
          unloadedAt: null,
          canceledAt: null,
        }),
      )
    },
    [form, read],
  )
  const remove = useCallback((index: number) => form.set('locations', read().toSpliced(index, 1)), [form, read])
  const places = useKnownPlaces(useFormValue<number[]>('customerIds'))
  const [added, setAdded] = useState<number | null>(null)
  const add = () => {
    const all = read()
    form.set('locations', [
      ...all,
      emptyStop(all.some(({ kind }) => kind === 'loading') ? 'unloading' : 'loading', all.at(-1)?.countryId ?? null),
    ])
    setAdded(all.length)
  }
  const zones = new Map(order.locations.map(({ id, timeZone }) => [id, timeZone]))
  return (
    <div className={classes.section}>
      <ol className={classes.line} data-path="locations">
        {stops.map((stop, index) => (
          <StopCard
            key={stop.key ?? stop.id}
            orderId={order.id}
            index={index}
            count={stops.length}
            zone={stop.timeZone ?? zones.get(stop.id ?? 0) ?? null}
            places={places}
            isOpen={openStop === index}
            onToggle={onOpenStop}
            onMove={move}
            onDuplicate={duplicate}
            onRemove={remove}
          />
        ))}
      </ol>
      {said}
      <datalist id={PLACES_ID}>
        {places.map((place) => (
          <option key={[place.companyTitle, place.postal, place.address].join()} value={place.companyTitle}>
            {[place.address, place.city].filter(Boolean).join(', ')}
          </option>
        ))}
      </datalist>
      <Button size="compact-sm" disabled={form.isReadOnly} leftSection={<Icon name="plus" size={13} />} onClick={add}>
        {t('addStop')}
      </Button>
      <Suspense>
        {added !== null && stops[added] !== undefined ? (
          <AddStopModal index={added} onClose={() => setAdded(null)} />
        ) : null}
      </Suspense>
    </div>
  )
}

const PLACES_ID = 'known-places'

interface StopCardProps {
  orderId: number
  index: number
  count: number
  zone: string | null
  places: readonly KnownPlace[]
  isOpen: boolean
  onToggle: (index: number | null) => void
  onMove: (index: number, step: -1 | 1) => void
  onDuplicate: (index: number) => void
  onRemove: (index: number) => void
}

// A key in one stop does not draw the others.
const StopCard = memo(function StopCard({
  orderId,
  index,
  count,
  zone,
  places,
  isOpen,
  onToggle,
  onMove,
  onDuplicate,
  onRemove,
}: StopCardProps) {
  const { t } = useTranslation('order')
  const at = `locations.${index}`
  const kind = useField<StopValues['kind']>(`${at}.kind`)
  const country = useField<number | null>(`${at}.countryId`)
  const countries = useCountries()
  const [isPlaceOpen, setPlaceOpen] = useState(false)
  const [isTerminOpen, setTerminOpen] = useState(false)
  const [hasLoadCarriers, setLoadCarriers] = useState(false)
  const form = useFormContext()
  const canceledAt = useFormValue<string | null>(`${at}.canceledAt`)
  const stopId = useFormValue<number | undefined>(`${at}.id`)
  const isReadOnly = kind.isReadOnly
  const number = index + 1
  return (
    <li className={classes.stop} data-canceled={canceledAt !== null || undefined} {...cargoDropProps(form, index)}>
      <div className={classes.rail}>
        <StopMark position={number} />
      </div>
      <div className={classes.card}>
        <div className={classes.head}>
          <b>{t(`kinds.${kind.value}`)}</b>
          <CargoChips index={index} />
          {canceledAt === null ? null : <Mark level={2}>{t('stopCanceled')}</Mark>}
          <span className={classes.gap} />
          <IconButton
            icon="calendar"
            isSmall
            label={t('editTermin', { stop: number })}
            disabled={isReadOnly}
            onClick={() => setTerminOpen(true)}
          />
          {stopId === undefined ? null : (
            <IconButton
              icon="box"
              isSmall
              label={t('loadCarriers', { stop: number })}
              onClick={() => setLoadCarriers(true)}
            />
          )}
          <IconButton
            icon="arrowUp"
            isSmall
            label={t('stopUp', { stop: number })}
            disabled={isReadOnly || index === 0}
            onClick={() => onMove(index, -1)}
          />
          <IconButton
            icon="arrowDown"
            isSmall
            label={t('stopDown', { stop: number })}
            disabled={isReadOnly || index === count - 1}
            onClick={() => onMove(index, 1)}
          />
          <IconButton
            icon="copy"
            isSmall
            label={t('duplicateStop', { stop: number })}
            disabled={isReadOnly}
            onClick={() => onDuplicate(index)}
          />
          <IconButton
            icon="trash"
            isSmall
            label={t('removeStop', { stop: number })}
            disabled={isReadOnly}
            onClick={() => onRemove(index)}
          />
        </div>
        <div className={classes.fields}>
          <div className={classes.two}>
            <SelectField
              label={t('stopFields.kind')}
              name={`${at}.kind`}
              data={LOCATION_KINDS.map((one) => ({ value: one, label: t(`kinds.${one}`) }))}
              value={kind.value}
              allowDeselect={false}
              error={kind.error}
              isChanged={kind.isChanged}
              readOnly={isReadOnly}
              onChange={(value) => kind.set((value ?? 'other') as StopValues['kind'])}
            />
          </div>
          <div className={classes.four}>
            <TerminInput index={index} zone={zone} />
          </div>
          <div className={classes.three}>
            <FormText name={`${at}.reference`} label={t('stopFields.reference')} maxLength={100} />
          </div>
          <div className={classes.three}>
            <FormText name={`${at}.contactPerson`} label={t('stopFields.contactPerson')} maxLength={150} />
          </div>
          <div className={classes.three}>
            <FormText
              name={`${at}.companyTitle`}
              label={t('stopFields.companyTitle')}
              maxLength={250}
              list={PLACES_ID}
              onInput={(event) => {
                const place = places.find(({ companyTitle }) => companyTitle === event.currentTarget.value)
                if (place === undefined) return
                const stop = form.get(at) as StopValues
                form.set(at, { ...stop, ...placeOf(place, stop) })
              }}
            />
          </div>
          <div className={classes.three}>
            <FormText name={`${at}.address`} label={t('stopFields.address')} maxLength={250} />
          </div>
          <div className={classes.two}>
            <SelectField
              label={t('stopFields.countryId')}
              name={`${at}.countryId`}
              isRequired
              searchable
              data={countries.map(({ id, title, code }) => ({
                value: String(id),
                label: code ? `${code} ${title}` : title,
              }))}
              value={country.value === null ? null : String(country.value)}
              error={country.error}
              isChanged={country.isChanged}
              readOnly={isReadOnly}
              nothingFoundMessage={t('nothingFound')}
              onChange={(value) => country.set(value === null ? null : Number(value))}
            />
          </div>
          <div className={`${classes.four} ${classes.town}`}>
            <FormText name={`${at}.postal`} label={t('stopFields.postalShort')} maxLength={20} />
            <FormText name={`${at}.city`} label={t('stopFields.city')} maxLength={100} />
          </div>
          <div className={classes.nine}>
            <FormText name={`${at}.specialInstructions`} label={t('stopFields.specialInstructions')} maxLength={2000} />
          </div>
          <div className={classes.three}>
            <FormText name={`${at}.phone`} label={t('stopFields.phone')} type="tel" maxLength={50} />
          </div>
        </div>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isPlaceOpen}
          onClick={() => setPlaceOpen(!isPlaceOpen)}
        >
          <Icon name={isPlaceOpen ? 'chevronDown' : 'chevronRight'} size={13} /> {t('stopPlace')}
        </button>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          onClick={() => onToggle(isOpen ? null : index)}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={13} /> {t('stopDetails')}
        </button>
        {isPlaceOpen ? (
          <Suspense fallback={<SkeletonLines lines={8} label={t('stopPlace')} />}>
            <PlaceSection at={at} />
          </Suspense>
        ) : null}
        {isOpen ? <StopDetails index={index} /> : null}
        <Suspense>
          {isTerminOpen ? <TerminModal index={index} zone={zone} onClose={() => setTerminOpen(false)} /> : null}
          {hasLoadCarriers && stopId !== undefined ? (
            <StopLoadCarriersWindow
              orderId={orderId}
              stopId={stopId}
              number={number}
              isReadOnly={isReadOnly}
              onClose={() => setLoadCarriers(false)}
            />
          ) : null}
        </Suspense>
      </div>
    </li>
  )
})

/** How much is picked up and dropped off here. */
function CargoChips({ index }: { index: number }) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const moved = useFormValuesOf<[StopValues | undefined, CargoValues[]], Moved[]>(
    [`locations.${index}`, 'cargo'],
    movedAt,
  )
  return moved.map(({ action, units, kg }) => (
    <span key={action} className={classes.chip} data-stop={stopColor(index + 1)}>
      <Icon name={action === 'PICK_UP' ? 'arrowUp' : 'arrowDown'} size={13} label={t(`actions.${action}`)} />{' '}
      {t('units', { count: units, number: format.number(units) })}, {format.number(kg, 0, 0)} kg
    </span>
  ))
}

interface Moved {
  action: CargoAction
  units: number
  kg: number
}

function movedAt(stop: StopValues | undefined, cargo: readonly CargoValues[]): Moved[] {
  if (stop === undefined) return []
  return (['PICK_UP', 'DROP_OFF'] as const).flatMap((action) => {
    const lines = cargoAt(stop, cargo, action)
    if (lines.length === 0) return []
    const units = lines.reduce((sum, { quantity }) => sum + (known(quantity) ?? 0), 0)
    const kg = lines.reduce((sum, { weightKg }) => sum + (known(weightKg) ?? 0), 0)
    return [{ action, units, kg }]
  })
}

/** What a line is called by: of two hundred lines a figure draws none again. */
const namedLines = (cargo: readonly CargoValues[]) => cargo.map(({ id, key, title }) => ({ id, key, title }))

/** What is seldom written: which cargo, the time zone, a comment. */
function StopDetails({ index }: { index: number }) {
  const { t } = useTranslation(['order', 'cargo'])
  const form = useFormContext()
  const at = `locations.${index}`
  const stops = useFormValue<StopValues[]>('locations')
  const cargo = useFormValueOf('cargo', namedLines)
  const zone = useField<string | null>(`${at}.timeZone`)
  const canceled = useField<string | null>(`${at}.canceledAt`)
  const [zones] = useState(() => Intl.supportedValuesOf('timeZone'))
  return (
    <div className={classes.details}>
      {cargo.length > 0 ? (
        <fieldset className={classes.cargo} disabled={form.isReadOnly} data-path={`${at}.cargoActions`}>
          <legend>{t('stopFields.cargoActions')}</legend>
          {cargo.map((line, row) => (
            <div key={line.key ?? line.id} className={classes.cargoLine}>
              <span className={classes.cargoTitle}>{line.title ?? t('cargo:lineNumber', { line: row + 1 })}</span>
              {(['PICK_UP', 'DROP_OFF'] as const).map((action) => (
                <Checkbox
                  key={action}
                  label={t(`actions.${action}`)}
                  aria-label={`${line.title ?? t('cargo:lineNumber', { line: row + 1 })}: ${t(`actions.${action}`)}`}
                  checked={stopOfCargo(stops, line, action) === index}
                  onChange={(event) =>
                    form.set(
                      'locations',
                      withAction(
                        form.get('locations') as StopValues[],
                        line,
                        action,
                        event.currentTarget.checked ? index : -1,
                      ),
                    )
                  }
                />
              ))}
            </div>
          ))}
        </fieldset>
      ) : null}
      <div className={classes.fields}>
        <div className={classes.four}>
          <SelectField
            label={t('stopFields.timeZone')}
            name={`${at}.timeZone`}
            hint={t('zoneHint')}
            searchable
            clearable={!zone.isReadOnly}
            limit={50}
            data={zones}
            value={zone.value}
            error={zone.error}
            isChanged={zone.isChanged}
            readOnly={zone.isReadOnly}
            nothingFoundMessage={t('nothingFound')}
            onChange={zone.set}
          />
        </div>
        <div className={classes.eight}>
          <FormTextArea name={`${at}.comment`} label={t('stopFields.comment')} minRows={1} maxLength={2000} />
        </div>
        <div className={classes.three}>
          <FormNumber
            name={`${at}.customerPriceCents`}
            label={t('stopFields.customerPriceCents')}
            unit="€"
            places={2}
            hasFixedPlaces
            factor={100}
          />
        </div>
        <div className={classes.three}>
          <FormNumber
            name={`${at}.carrierPriceCents`}
            label={t('stopFields.carrierPriceCents')}
            unit="€"
            places={2}
            hasFixedPlaces
            factor={100}
          />
        </div>
        <div className={classes.canceled}>
          <CheckField
            label={t('stopIsCanceled')}
            name={`${at}.canceledAt`}
            checked={canceled.value !== null}
            isChanged={canceled.isChanged}
            disabled={canceled.isReadOnly}
            onChange={(event) => canceled.set(event.currentTarget.checked ? new Date().toISOString() : null)}
          />
        </div>
      </div>
    </div>
  )
}
