import { useQueryClient } from '@tanstack/react-query'
import type { Reference } from '@waybill/contract/kit/fields'
import type { ResourceApi, Versioned } from '@waybill/contract/kit/resource'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import type { MakingProps } from '../../kit/list/reference/reference-select.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { MakingWindow } from './making-window.tsx'
import { useMaking } from './use-making.ts'

interface NewPersonProps extends MakingProps {
  kind: 'contact' | 'driver'
  api: ResourceApi
  /** The firm's */
  ownerId: number
}

interface Person extends Reference {
  fullName: string
}

const LISTS = { contact: 'contactPersons', driver: 'drivers' } as const

/** Adds a person to a firm from where one is wanted. */
export function NewPerson({ kind, api, ownerId, typed, onMade, onClose }: NewPersonProps) {
  const { t } = useTranslation('partner')
  const queries = useQueryClient()
  // Another name is another person.
  const kept = useKept(`${api.path}/${kind}-made-here/${typed}`, ownerId, {
    fullName: typed,
    phone: '',
    email: '',
    plateNumber: '',
  })
  const person = kept.values
  const making = useMaking([{ field: 'fullName', isMissing: person.fullName.trim() === '' }])
  const list = LISTS[kind]
  // Who was there when it was first tried
  const before = useRef<readonly number[] | null>(null)
  const field = (name: keyof typeof person, label: string) => (
    <TextField
      label={label}
      isRequired={name === 'fullName'}
      value={person[name]}
      maxLength={name === 'plateNumber' ? 20 : 150}
      autoComplete="off"
      error={making.errorAt(name)}
      onChange={(event) => {
        kept.change({ [name]: event.currentTarget.value })
        making.answer()
      }}
    />
  )
  const create = () =>
    making.make(async () => {
      const owner = (await callApi(api.get, { params: { id: ownerId } })) as Versioned & Record<string, Person[]>
      before.current ??= owner[list]!.map(({ id }) => id)
      // The answer to the first try may have been lost on its way: the person is there, and is not added again.
      const there = owner[list]!.find(
        ({ id, fullName }) => !before.current!.includes(id) && fullName === person.fullName.trim(),
      )
      if (there !== undefined) {
        void kept.forget()
        onMade({ id: there.id, title: there.fullName })
        return
      }
      const { plateNumber: _ofDrivers, ...rest } = person
      const saved = (await callApi(api.patch, {
        params: { id: ownerId },
        body: { [list]: [...owner[list]!, kind === 'driver' ? person : rest] },
        version: owner.version,
      })) as Record<string, Person[]>
      await queries.invalidateQueries({ queryKey: [api.path] })
      const made = saved[list]!.at(-1)!
      void kept.forget()
      onMade({ id: made.id, title: made.fullName })
    })
  const giveUp = () => {
    void kept.forget()
    onClose()
  }
  return (
    <MakingWindow title={t(kind)} making={making} onCreate={() => void create()} onClose={giveUp}>
      {field('fullName', t('fullName'))}
      <div data-half>{field('phone', t('phone'))}</div>
      <div data-half>{field('email', t('personEmail'))}</div>
      {kind === 'driver' ? field('plateNumber', t('plateNumber')) : null}
    </MakingWindow>
  )
}
