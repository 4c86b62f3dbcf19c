import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { listPaperTemplates, type PaperRow } from '@waybill/contract/email/paper-template'
import { LANGUAGES } from '@waybill/contract/errors'
import { CONTENT_MODES } from '@waybill/contract/kit/content-modes'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { Avatar } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { Section } from '../../../ui/page/section.tsx'
import listClasses from '../list/mail-template-section.module.css'
import { templatePath } from '../template-names.ts'
import { papersKey } from './paper-names.ts'
import classes from './papers.module.css'

/** What a department says on each document, in each language: ours alone, or its own words with or without it. */
export function PaperTemplateSection({ departmentId }: { departmentId: number }) {
  const { t } = useTranslation('paper-template')
  const { data, error, refetch } = useQuery({
    queryKey: papersKey(departmentId),
    queryFn: ({ signal }) => callApi(listPaperTemplates, { params: { id: departmentId }, signal }),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={8} label={t('title')} />
  const own = data.items.flatMap(({ texts }) => texts).filter(({ isOwn }) => isOwn).length
  return (
    <>
      <Section
        title={t('title')}
        isFlush
        summary={`${t('documents', { count: data.items.length })}, ${t('own', { count: own })}`}
      >
        <div className={listClasses.scroll}>
          <table className={`${listClasses.grid} ${classes.grid}`} aria-label={t('title')}>
            <thead>
              <tr>
                <th scope="col">{t('document')}</th>
                {LANGUAGES.map((language) => (
                  <th key={language} scope="col">
                    {LANGUAGE_NAMES[language]}
                  </th>
                ))}
                <th scope="col">{t('edited')}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((row) => (
                <PaperLine key={row.type} departmentId={departmentId} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      </Section>
      <dl className={classes.modes}>
        {CONTENT_MODES.map((mode) => (
          <div key={mode}>
            <dt>{t(`modes.${mode}`)}</dt>
            <dd>{t(`means.${mode}`)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function PaperLine({ departmentId, row }: { departmentId: number; row: PaperRow }) {
  const { t } = useTranslation('paper-template')
  const format = useFormat()
  const { type, texts } = row
  const [last] = texts
    .filter(({ editedAt }) => editedAt !== null)
    .toSorted((one, other) => other.editedAt!.localeCompare(one.editedAt!))
  return (
    <tr>
      <th scope="row" className={listClasses.mail}>
        {t(`type.${type}`)}
        <span className={listClasses.when}>{t(`says.${type}`)}</span>
      </th>
      {texts.map(({ key, language, isOwn, mode, editedAt }) => (
        <td key={key} className={listClasses.text} data-label={LANGUAGE_NAMES[language]}>
          <Link
            to={templatePath(departmentId, key)}
            className={listClasses.cell}
            aria-label={`${t(`type.${type}`)}, ${LANGUAGE_NAMES[language]}: ${t(isOwn ? `cell.${mode}` : 'cell.none')}`}
          >
            {isOwn && mode !== 'standard' ? (
              <b>{t(`cell.${mode}`)}</b>
            ) : (
              <span className={listClasses.pale}>{t(isOwn ? 'cell.standard' : 'cell.none')}</span>
            )}
            {editedAt === null ? null : (
              <time className={listClasses.pale} dateTime={editedAt}>
                {format.dayShort(editedAt)}
              </time>
            )}
          </Link>
        </td>
      ))}
      <td data-label={t('edited')}>
        {last === undefined ? (
          <span className={listClasses.pale}>–</span>
        ) : (
          <span className={listClasses.edit}>
            {last.editedBy === null ? null : <Avatar name={last.editedBy.title} size={20} />}
            <time dateTime={last.editedAt!}>{format.day(last.editedAt!)}</time>
          </span>
        )}
      </td>
    </tr>
  )
}
