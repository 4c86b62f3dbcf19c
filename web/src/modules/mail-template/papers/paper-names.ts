/** Where the documents of a department stand. */
export const paperListLink = (departmentId: number) => ({
  to: `/departments/${departmentId}/edit`,
  search: { tab: 'documents' } as never,
})

/** What is known of the document templates of a department, for lists and for what makes them old. */
export const papersKey = (departmentId: number) => ['departments', departmentId, 'document-templates'] as const
