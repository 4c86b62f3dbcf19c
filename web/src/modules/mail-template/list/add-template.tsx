import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { LANGUAGES } from '@waybill/contract/errors'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../kit/api/api-error.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useErrorText, useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { currentLanguage } from '../../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { addText } from '../new-text.ts'
import { templatesKey } from '../template-names.ts'
import classes from './add-template.module.css'

interface AddTemplateProps {
  departmentId: number
  onClose: () => void
  onAdded: (key: string) => void
}

/** Asks for the name of a mail by hand that the product does not know, and for its first language. */
export function AddTemplate({ departmentId, onClose, onAdded }: AddTemplateProps) {
  const { t } = useTranslation('mail-template')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const fieldErrorText = useFieldErrorText()
  const typed = useKept('mail-templates/add', departmentId, { name: '', language: currentLanguage() })
  const { name, language } = typed.values
  const [error, setError] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const add = async () => {
    if (isBusy) return
    if (name.trim() === '') {
      setError(fieldErrorText('required'))
      return
    }
    setBusy(true)
    try {
      const made = await addText(departmentId, name.trim(), language)
      void typed.forget()
      await queries.invalidateQueries({ queryKey: templatesKey(departmentId) })
      onClose()
      onAdded(made.key)
    } catch (refusal) {
      const said = refusal instanceof ApiError ? refusal.errors.find(({ path }) => path === 'name')?.message : undefined
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
      title={t('add.title')}
      closeLabel={t('close')}
      onSubmit={() => void add()}
      footer={
        <>
          <Button onClick={giveUp}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('add.confirm')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <TextField
          label={t('add.name')}
          hint={t('add.nameMeans')}
          error={error}
          isRequired
          maxLength={80}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => {
            typed.change({ name: event.currentTarget.value })
            setError(undefined)
          }}
        />
        <Segmented
          label={t('add.language')}
          value={language}
          onChange={(next) => typed.change({ language: next })}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
      </div>
    </ModalFrame>
  )
}
