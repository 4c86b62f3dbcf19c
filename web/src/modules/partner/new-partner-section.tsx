import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import { email as emailShape, type Reference } from '@waybill/contract/kit/fields'
import type { Lookalikes } from '@waybill/contract/kit/lookalike'
import type { ResourceApi } from '@waybill/contract/kit/resource'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { check } from '../../kit/shapes/check.ts'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText } from '../../kit/i18n/error-text.ts'
import type { MakingProps } from '../../kit/list/reference/reference-select.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { MakingWindow } from './making-window.tsx'
import classes from './partner.module.css'
import { useMaking } from './use-making.ts'

// Long enough for a typist's pause.
const TYPING_MS = 250
const LEAST_LETTERS = 3

interface NewPartnerProps extends MakingProps {
  kind: 'customer' | 'carrier'
  api: ResourceApi
  lookalikes: Endpoint
  /** Where a mail address of the firm is kept, if anywhere */
  emailField?: string
  /** What is known of it already */
  known?: KnownPartner
}

type Typed = Record<'title' | 'vatNumber' | 'email' | 'address' | 'postal' | 'city', string>

/** What somebody has said of a firm that is not on record. */
export type KnownPartner = { [Field in keyof Typed]?: string | null } & { countryId?: number | null }

/**
 * Makes a firm from where it is wanted: its name, address, VAT number and mail address; all else is filled in on its
 * own page. One that it may be already is offered instead (decision 052).
 */
export function NewPartner(props: NewPartnerProps) {
  const { kind, api, lookalikes, emailField, known: given = {}, typed: title, onMade, onClose } = props
  const { t } = useTranslation('partner')
  const queries = useQueryClient()
  const fieldErrorText = useFieldErrorText()
  // Another name is another firm.
  const kept = useKept<Typed & { countryId: number | null }>(`${api.path}/made-here/${title}`, 'new', {
    title,
    vatNumber: given.vatNumber ?? '',
    email: given.email ?? '',
    address: given.address ?? '',
    postal: given.postal ?? '',
    city: given.city ?? '',
    countryId: given.countryId ?? null,
  })
  const { countryId, ...typed } = kept.values
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [key] = useState(newIdempotencyKey)
  const known = useKnown(api.path, lookalikes, { title: typed.title, vatNumber: typed.vatNumber, countryId })
  const shape = typed.vatNumber.trim() === '' ? null : (known?.vatNumberShape ?? null)
  const isMailWrong = typed.email.trim() !== '' && !check(emailShape, typed.email).success
  const making = useMaking([
    { field: 'title', isMissing: typed.title.trim() === '' },
    { field: 'countryId', isMissing: countryId === null },
  ])
  const set = (field: keyof Typed) => (event: React.ChangeEvent<HTMLInputElement>) => {
    kept.change({ [field]: event.currentTarget.value })
    making.answer()
  }
  const leave = (field: string) => () => setLeft(new Set([...left, field]))
  const create = () =>
    making.make(async () => {
      const { email, ...rest } = typed
      const body = { ...rest, countryId, ...(emailField === undefined ? {} : { [emailField]: email }) }
      const made = (await callApi(api.create, {
        body,
        idempotencyKey: `${key} ${JSON.stringify(body)}`.slice(0, 200),
      })) as Reference
      void queries.invalidateQueries({ queryKey: [api.path] })
      void kept.forget()
      onMade({ id: made.id, title: made.title })
    })
  const giveUp = () => {
    void kept.forget()
    onClose()
  }
  const vatError = shape === 'wrong' && left.has('vatNumber') ? fieldErrorText('invalid_vat_number') : undefined
  const mailError = isMailWrong && left.has('email') ? fieldErrorText('invalid_email') : undefined
  return (
    <MakingWindow title={t(kind)} making={making} onCreate={() => void create()} onClose={giveUp}>
      <TextField
        label={t('title')}
        isRequired
        value={typed.title}
        maxLength={250}
        autoComplete="off"
        error={making.errorAt('title')}
        onChange={set('title')}
      />
      {known === undefined || known.items.length === 0 ? null : (
        <Notice tone="warn">
          {t('known')}
          <ul className={classes.known}>
            {known.items.map((one) => (
              <li key={one.id}>
                <button
                  type="button"
                  className={classes.one}
                  aria-label={t('use', { title: one.title })}
                  onClick={() => {
                    void kept.forget()
                    onMade({ id: one.id, title: one.title })
                  }}
                >
                  <b>{one.title}</b>
                  <span>{[one.detail, one.hasSameNumber ? t('sameNumber') : null].filter(Boolean).join(' · ')}</span>
                </button>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div data-half>
        <TextField
          label={t('vatNumber')}
          hint={shape === 'doubtful' ? t('doubtful') : undefined}
          value={typed.vatNumber}
          maxLength={30}
          autoComplete="off"
          spellCheck={false}
          error={making.errorAt('vatNumber') ?? vatError}
          onChange={set('vatNumber')}
          onBlur={leave('vatNumber')}
        />
      </div>
      {emailField === undefined ? null : (
        <div data-half>
          <TextField
            label={t('email')}
            type="email"
            value={typed.email}
            maxLength={250}
            autoComplete="off"
            error={making.errorAt(emailField) ?? mailError}
            onChange={set('email')}
            onBlur={leave('email')}
          />
        </div>
      )}
      <TextField
        label={t('address')}
        value={typed.address}
        maxLength={250}
        autoComplete="off"
        error={making.errorAt('address')}
        onChange={set('address')}
      />
      <div data-third>
        <TextField
          label={t('postal')}
          value={typed.postal}
          maxLength={20}
          autoComplete="off"
          error={making.errorAt('postal')}
          onChange={set('postal')}
        />
      </div>
      <div data-rest>
        <TextField
          label={t('city')}
          value={typed.city}
          maxLength={100}
          autoComplete="off"
          error={making.errorAt('city')}
          onChange={set('city')}
        />
      </div>
      <CountrySelect
        label={t('countryId')}
        isRequired
        value={countryId}
        error={making.errorAt('countryId')}
        onChange={(id) => kept.change({ countryId: id })}
      />
    </MakingWindow>
  )
}

/** Those that it may be already; undefined until something was typed. */
function useKnown(
  path: string,
  lookalikes: Endpoint,
  { title, vatNumber, countryId }: { title: string; vatNumber: string; countryId: number | null },
): Lookalikes | undefined {
  const [asked] = useDebouncedValue(
    JSON.stringify({
      ...(title.trim().length < LEAST_LETTERS ? {} : { title: title.trim() }),
      ...(vatNumber.trim() === '' ? {} : { vatNumber: vatNumber.trim() }),
      ...(countryId === null ? {} : { countryId }),
    }),
    TYPING_MS,
  )
  return useQuery({
    queryKey: [path, 'lookalikes', asked],
    queryFn: ({ signal }) => callApi(lookalikes, { query: JSON.parse(asked), signal }) as Promise<Lookalikes>,
    placeholderData: keepPreviousData,
    // A warning that does not come keeps nobody from going on.
    meta: { showsRefusals: true },
  }).data
}
