import { sql, type Kysely } from 'kysely'

/** The pages of PDFs, drawn once as pictures for the papers that show them (decision 096). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table drawn_document (
      "documentId" bigint primary key references document on delete cascade,
      -- null: it cannot be drawn, and stays a file
      pages int check (pages > 0),
      "drawnAt" timestamptz not null
    )
  `.execute(db)
  await sql`
    create table drawn_document_page (
      "documentId" bigint not null references drawn_document on delete cascade,
      page int not null check (page > 0),
      "fileKey" text not null unique,
      sha256 text not null check (length(sha256) = 64),
      "sizeBytes" int not null check ("sizeBytes" > 0),
      primary key ("documentId", page)
    )
  `.execute(db)

  // What a numbered paper will show stays until the paper is made: it goes as no file beside.
  await sql`
    create or replace function check_document_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if exists (select 1 from invoice i where i."documentId" = old.id and i."frozenAt" is not null)
        or exists (select 1 from invoice_paper p where p."documentId" = old.id)
        or exists (select 1 from invoice_artifact a where a."documentId" = old.id)
        or exists (select 1 from ksef_submission s where s."documentId" = old.id or s."upoDocumentId" = old.id)
        or (tg_op = 'DELETE' and old."documentType" = 'PROOF_OF_DELIVERY' and (
          exists (select 1 from invoice_paper p where p."documentId" is null
            and p.printed->'pods' @> jsonb_build_array(jsonb_build_object('documentId', old.id)))
          or exists (select 1 from ksef_submission s where s.state in ('queued', 'submitted')
            and s.printed->'pods' @> jsonb_build_array(jsonb_build_object('documentId', old.id))))) then
        perform refuse_frozen('document ' || old.id);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
}
