import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { SnippetGroup, type SnippetGroupProps } from '../snippets/snippet-group.tsx'
import classes from './editor.module.css'
import { useEditorTools } from './editor-tools.ts'

interface FieldListProps {
  onField: (key: string) => void
  /** A text is being written in: a field can be put into it */
  canPut: boolean
  /** The snippets above the fields, found by the same words: what is done with one */
  snippets: Omit<SnippetGroupProps, 'typed'>
}

/** The fields that a text may hold, with what they say of the chosen order. */
export function FieldList({ onField, canPut, snippets }: FieldListProps) {
  const { t } = useTranslation('mail-template')
  const { catalogue, values } = useEditorTools()
  const [typed, setTyped] = useState('')
  const found = new Set(catalogue.find(typed))
  const groups = catalogue.groups
    .map(({ group, title, fields }) => ({ group, title, fields: fields.filter((field) => found.has(field)) }))
    .filter(({ fields }) => fields.length > 0)
  return (
    <>
      <TextInput
        className={classes.findField}
        size="xs"
        value={typed}
        aria-label={t('findField', { count: catalogue.fields.length })}
        placeholder={t('findField', { count: catalogue.fields.length })}
        leftSection={<Icon name="search" />}
        rightSection={<KeyHint>{'{'}</KeyHint>}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {/* While no field can be put in, none of its buttons takes the keyboard, and the list scrolls by itself. */}
      <div className={classes.fieldList} role="group" aria-label={t('fields')} tabIndex={canPut ? -1 : 0}>
        <SnippetGroup {...snippets} typed={typed} />
        {groups.map(({ group, title, fields }) => (
          <section key={group} aria-label={title}>
            <h3>{title}</h3>
            {fields.map((field) => (
              <button
                key={field.key}
                type="button"
                disabled={!canPut}
                title={canPut ? t('putField', { field: field.label }) : t('putFieldFirst')}
                // The text keeps the caret where the field goes.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onField(field.key)}
              >
                <span>{field.name}</span>
                <span className={classes.fieldValue}>{values[field.key] ?? '–'}</span>
              </button>
            ))}
          </section>
        ))}
        {groups.length === 0 ? <p className={classes.noField}>{t('noField', { typed })}</p> : null}
      </div>
    </>
  )
}
