"""Parts that all calculators share: forms, queries, share links, opened files, problem sentences, jobs."""
