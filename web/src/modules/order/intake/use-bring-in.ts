import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { pasteIntakeMail, uploadIntakeMail, type BroughtIn } from '@waybill/contract/intake/intake'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import { mailPath } from './mail-words.ts'

/** Brings mails in, as files one after the other or as text; says what was there already, and what was refused. */
export function useBringIn() {
  const { t } = useTranslation(['intake', 'common'])
  const client = useQueryClient()
  const navigate = useNavigate()
  const refusalWords = useRefusalWords()
  const [problems, setProblems] = useState<string[]>([])
  const tell = (mails: readonly BroughtIn[]) => {
    void client.invalidateQueries({ queryKey: ['intake-mails'] })
    const known = mails.filter(({ isNew }) => !isNew)
    if (known.length === 0) return
    notify({
      tone: 'info',
      title: t('intake:known', { count: known.length }),
      detail: known.some(({ id }) => id === null) ? t('intake:knownToOthers') : undefined,
      closeLabel: t('common:close'),
    })
  }
  const files = useMutation({
    mutationFn: async (list: readonly File[]) => {
      const mails: BroughtIn[] = []
      const refused: string[] = []
      for (const file of list) {
        const form = new FormData()
        form.set('file', file, file.name)
        try {
          mails.push(await callApi(uploadIntakeMail, { form, idempotencyKey: newIdempotencyKey() }))
        } catch (error) {
          refused.push(`${file.name}: ${[...new Set(refusalWords(error))].join('. ')}`)
        }
      }
      return { mails, refused }
    },
    onSuccess: ({ mails, refused }) => {
      setProblems(refused)
      tell(mails)
      const [only, other] = mails
      if (only?.id && other === undefined && refused.length === 0) void navigate({ to: mailPath(only.id) })
    },
  })
  const paste = useMutation({
    mutationFn: (text: string) => callApi(pasteIntakeMail, { body: { text }, idempotencyKey: newIdempotencyKey() }),
    onSuccess: (mail) => tell([mail]),
  })
  return { files, paste, problems }
}
