-- The card provider's words for a line say what one costs; the product no longer stores that, so that it can be hidden.
UPDATE "account"."orders" SET "lines" = (
  SELECT jsonb_agg(
    line || jsonb_build_object('text', regexp_replace(line ->> 'text', '\s*\((tier \d+ )?at [^()]*\d[^()]*\)', '', 'gi'))
    ORDER BY place
  )
  FROM jsonb_array_elements("lines") WITH ORDINALITY AS words (line, place)
)
WHERE "origin" = 'charged' AND "lines"::text ~* '\((tier \d+ )?at [^()]*\d[^()]*\)';
