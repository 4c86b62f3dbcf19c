import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { addSnippet } from '@waybill/contract/email/snippet'
import type { Language } from '@waybill/contract/errors'
import type { RichText } from '@waybill/contract/kit/rich-text'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../kit/api/api-error.ts'
import { callApi } from '../../../kit/api/call-api.ts'
import { useIntention } from '../../../kit/api/use-intention.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useErrorText, useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import classes from './snippets.module.css'
import { snippetsKey } from './use-snippets.ts'

interface KeepSnippetProps {
  departmentId: number
  language: Language
  text: RichText
  onClose: () => void
}

/** Asks for the name under which a paragraph is kept. */
export function KeepSnippet({ departmentId, language, text, onClose }: KeepSnippetProps) {
  const { t } = useTranslation('mail-template')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const fieldErrorText = useFieldErrorText()
  // Another paragraph is another snippet.
  const typed = useKept(`snippets/keep/${JSON.stringify(text)}`, departmentId, '')
  const name = typed.values
  const [error, setError] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const keyOf = useIntention()
  const keep = async () => {
    const given = name.trim()
    if (isBusy) return
    if (given === '') {
      setError(fieldErrorText('required'))
      return
    }
    setBusy(true)
    try {
      await callApi(addSnippet, {
        params: { id: departmentId },
        body: { name: given, language, text },
        idempotencyKey: keyOf(given),
      })
      void typed.forget()
      void queries.invalidateQueries({ queryKey: snippetsKey(departmentId) })
      notify({ tone: 'ok', title: t('snippet.kept'), detail: given, closeLabel: t('close') })
      onClose()
    } catch (refusal) {
      const said = refusal instanceof ApiError ? refusal.errors[0]?.message : undefined
      setError(said ?? errorText(refusal))
      setBusy(false)
    }
  }
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t('snippet.keepTitle')}
      closeLabel={t('close')}
      onSubmit={() => void keep()}
      footer={
        <>
          <Button onClick={giveUp}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('snippet.confirm')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <p className={classes.means}>{t('snippet.keepMeans')}</p>
        <TextField
          label={t('snippet.name')}
          error={error}
          isRequired
          maxLength={80}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => {
            typed.set(event.currentTarget.value)
            setError(undefined)
          }}
        />
      </div>
    </ModalFrame>
  )
}
