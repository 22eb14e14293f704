DROP TABLE job_schedules, jobs;
