DELETE FROM jobs WHERE kind IN (SELECT kind FROM job_schedules);
DROP TABLE job_schedules;
