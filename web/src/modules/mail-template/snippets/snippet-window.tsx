import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { addSnippet, listSnippets, putSnippet, removeSnippet, type Snippet } from '@waybill/contract/email/snippet'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, hasCode } from '../../../kit/api/api-error.ts'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { blockLines } from '../editor/template-values.ts'
import { useEditorTools } from '../editor/editor-tools.ts'
import { shortLanguage } from '../template-names.ts'
import classes from './snippets.module.css'
import { snippetsKey } from './use-snippets.ts'

interface SnippetWindowProps {
  departmentId: number
  onClose: () => void
}

/** A name that is typed for a snippet. */
interface TypedName {
  name: string
  /** of the snippet that it is typed upon; null: of what stands there */
  version: number | null
}

/** By the snippet's id; null: as it is called */
type TypedNames = Readonly<Record<number, TypedName | null>>

const NO_NAMES: TypedNames = {}

/** All snippets of a department, to be renamed or deleted. */
export function SnippetWindow({ departmentId, onClose }: SnippetWindowProps) {
  const { t } = useTranslation('mail-template')
  const { data, error, refetch } = useQuery({
    queryKey: snippetsKey(departmentId),
    queryFn: ({ signal }) => callApi(listSnippets, { params: { id: departmentId }, signal }),
  })
  const kept = useKept('snippets/names', departmentId, NO_NAMES)
  const giveUp = () => {
    void kept.forget()
    onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t('snippet.title')}
      closeLabel={t('close')}
      footer={<Button onClick={giveUp}>{t('close')}</Button>}
    >
      <div className={classes.list}>
        <p className={classes.means}>{t('snippet.means')}</p>
        {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null ? <SkeletonLines lines={4} label={t('snippet.loading')} /> : null}
        {data?.items.map((snippet) => (
          <OneSnippet
            key={snippet.id}
            departmentId={departmentId}
            snippet={snippet}
            typed={kept.values[snippet.id] ?? null}
            onType={(name) => kept.change({ [snippet.id]: name })}
          />
        ))}
      </div>
    </ModalFrame>
  )
}

interface OneSnippetProps {
  departmentId: number
  snippet: Snippet
  typed: TypedName | null
  onType: (name: TypedName | null) => void
}

function OneSnippet({ departmentId, snippet, typed, onType }: OneSnippetProps) {
  const { t } = useTranslation('mail-template')
  const { catalogue } = useEditorTools()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const name = typed?.name ?? snippet.name
  const [error, setError] = useState<string | undefined>()
  const { id, version, language, text } = snippet
  const params = { id: departmentId, snippetId: id }
  const readAnew = () => queries.invalidateQueries({ queryKey: snippetsKey(departmentId) })
  const refused = async (refusal: unknown) => {
    setError((refusal instanceof ApiError ? refusal.errors[0]?.message : undefined) ?? errorText(refusal))
    if (refusal instanceof ApiError && refusal.status !== 422) await readAnew()
  }
  const rename = async () => {
    try {
      await callApi(putSnippet, {
        params,
        version: typed?.version ?? version,
        body: { name: name.trim(), language, text },
      })
      onType(null)
      await readAnew()
      notify({ tone: 'ok', title: t('snippet.renamed'), detail: name.trim(), closeLabel: t('close') })
    } catch (refusal) {
      // Now that it was said, the next press is meant for what stands there.
      if (hasCode(refusal, 'stale_version')) onType({ name, version: null })
      await refused(refusal)
    }
  }
  const remove = async () => {
    try {
      await callApi(removeSnippet, { params, version })
      await readAnew()
      notify({
        tone: 'info',
        title: t('snippet.deleted'),
        detail: snippet.name,
        closeLabel: t('close'),
        action: {
          label: t('undo'),
          onClick: () => {
            callApi(addSnippet, { params: { id: departmentId }, body: { name: snippet.name, language, text } }).then(
              readAnew,
              (refusal: unknown) =>
                notify({ tone: 'danger', title: t('notChanged'), detail: errorText(refusal), closeLabel: t('close') }),
            )
          },
        },
      })
    } catch (refusal) {
      await refused(refusal)
    }
  }
  const words = blockLines({ id: '', onlyIf: null, kind: 'paragraph', text }, catalogue.labelOf, () => '')
  const isNew = name.trim() !== '' && name.trim() !== snippet.name
  return (
    <div className={classes.one}>
      <TextField
        label={t('snippet.renameOf', { name: snippet.name })}
        error={error}
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={(event) => {
          const { value } = event.currentTarget
          onType(value === snippet.name ? null : { name: value, version: typed?.version ?? version })
          setError(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (isNew) void rename()
        }}
      />
      <Button size="compact-sm" disabled={!isNew} onClick={() => void rename()}>
        {t('snippet.rename')}
      </Button>
      <IconButton icon="trash" label={t('snippet.delete', { name: snippet.name })} onClick={() => void remove()} />
      <p className={classes.says} lang={language}>
        {shortLanguage(language)} · {words.join(' ')}
      </p>
    </div>
  )
}
